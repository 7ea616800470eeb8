-- name: notes
-- purpose: What could not be read, by source, field and reason, most frequent first.
-- parameters: none
-- rows: many
-- columns:
--   source text File, archive member or stream.
--   field text Field, dotted; "line" for the line as a whole.
--   reason text What is wrong.
--   kept boolean Whether the lines were kept all the same, without that field.
--   lines integer [lines] Lines with it.
--   first_line integer First of them; 0 where it is about the source as a whole.
-- rate: none
SELECT
  s.name AS source,
  n.field AS field,
  n.reason AS reason,
  1 - n.is_line AS kept,
  count(*) AS lines,
  min(n.line) AS first_line
FROM ingest_note AS n
JOIN source AS s ON s.id = n.source_id
GROUP BY n.source_id, n.field, n.reason, n.is_line
ORDER BY lines DESC, n.source_id, field, reason, kept
