-- name: span_timings
-- purpose: Durations of the notifications sent in a span of time, from their rows.
-- parameters:
--   first integer Smallest row number of the UTC days concerned.
--   last integer Largest row number of the UTC days concerned.
--   from time Start of the span.
--   to time End of the span, excluded.
-- rows: many
-- columns:
--   download_us integer? [µs] Duration of the download; null if it is not known.
--   handler_us integer? [µs] Time until the handler was called; null if it is not known.
-- rate: none
SELECT
  n.download_us AS download_us,
  n.handler_us AS handler_us
FROM notification AS n
WHERE
  n.id BETWEEN :first AND :last
  AND n.sent_at >= :from
  AND n.sent_at < :to
  AND (n.download_us IS NOT NULL OR n.handler_us IS NOT NULL)
ORDER BY n.id
