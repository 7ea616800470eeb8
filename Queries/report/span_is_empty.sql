-- name: span_is_empty
-- purpose: Whether no notification was sent in a span of time.
-- parameters:
--   first integer Smallest row number of the UTC days concerned.
--   last integer Largest row number of the UTC days concerned.
--   from time Start of the span.
--   to time End of the span, excluded.
-- rows: one
-- columns:
--   is_empty boolean Whether there is none.
-- rate: none
SELECT
  NOT EXISTS (
    SELECT 1
    FROM notification AS n
    WHERE n.id BETWEEN :first AND :last AND n.sent_at >= :from AND n.sent_at < :to
  ) AS is_empty
