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
--   lines_read integer [lines] The sum of the next four.
--   kept integer [lines] Became records.
--   duplicate integer [lines] Were here already.
--   noted integer [lines] Could not be understood.
--   skipped integer [lines] Blank lines and comments.
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
  s.skipped AS skipped
FROM source AS s
WHERE s.first_at < :to AND s.last_at >= :from
ORDER BY s.name, s.id
