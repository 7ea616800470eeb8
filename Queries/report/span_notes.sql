-- name: span_notes
-- purpose: Lines that could not be understood, in sources with records in a span of time or without any record.
-- parameters:
--   from time Start of the span.
--   to time End of the span, excluded.
-- rows: many
-- columns:
--   source text File, archive member or stream.
--   field text Field, dotted; "line" for the line as a whole.
--   reason text What is wrong.
--   lines integer [lines] Lines with it.
--   first_line integer First of them; 0 where it is about the source as a whole.
-- rate: none
SELECT
  s.name AS source,
  n.field AS field,
  n.reason AS reason,
  count(*) AS lines,
  min(n.line) AS first_line
FROM source AS s
JOIN ingest_note AS n ON n.source_id = s.id
WHERE n.is_line = 1 AND (s.first_at IS NULL OR (s.first_at < :to AND s.last_at >= :from))
GROUP BY s.id, n.field, n.reason
ORDER BY lines DESC, s.id, n.field, n.reason
