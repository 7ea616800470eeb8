-- name: span_sources
-- purpose: Sources with records in a span of time.
-- parameters:
--   from time Start of the span.
--   to time End of the span, excluded.
-- rows: many
-- columns:
--   id integer Number of the source.
--   name text File, archive member or stream.
--   adapter text Format; '' if none was recognised.
--   first_at time Earliest record.
--   last_at time Latest record.
--   lines_read integer [lines] Lines; the next four sum to it, or to more where lines hold several records.
--   kept integer [records] Became records.
--   duplicate integer [records] Were here already.
--   noted integer [lines] Could not be understood.
--   skipped integer [lines] Blank lines and comments.
--   loss_records integer [records] Say that lines were lost.
--   lost_lines integer [lines] How many they say, at least.
--   hidden_lines integer [lines] Hide a value as <private>.
--   filter_notes integer [lines] Say that it was filtered.
--   system_lines integer [lines] Of a phone's processes.
--   levels integer Levels seen: 1 debug, 2 info, 4 default, 8 error, added up.
--   processes integer Seen: 1 apsd, 2 SpringBoard, 4 runningboardd, 8 dasd, 16 kernel, added up.
--   numbered integer [records] Carry a number of a counter.
--   unnumbered integer [records] Of a format with such numbers, carry none.
-- rate: none
SELECT
  s.id AS id,
  s.name AS name,
  s.adapter AS adapter,
  s.first_at AS first_at,
  s.last_at AS last_at,
  s.lines_read AS lines_read,
  s.kept AS kept,
  s.duplicate AS duplicate,
  s.noted AS noted,
  s.skipped AS skipped,
  s.loss_records AS loss_records,
  s.lost_lines AS lost_lines,
  s.hidden_lines AS hidden_lines,
  s.filter_notes AS filter_notes,
  s.system_lines AS system_lines,
  s.levels AS levels,
  s.processes AS processes,
  s.numbered AS numbered,
  s.unnumbered AS unnumbered
FROM source AS s
WHERE s.first_at < :to AND s.last_at >= :from
ORDER BY s.name, s.id
