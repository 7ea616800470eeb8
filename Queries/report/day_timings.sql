-- name: day_timings
-- purpose: Durations of some UTC days in buckets by app and release, from the roll-ups.
-- parameters:
--   from_day day First day of the send.
--   to_day day Last day of the send.
-- rows: many
-- columns:
--   measure text download or handler.
--   bucket integer Bucket of the histogram.
--   notifications integer [notifications] Counted.
-- rate: none
SELECT
  t.measure AS measure,
  t.bucket AS bucket,
  t.notifications AS notifications
FROM day_timing AS t
WHERE t.day BETWEEN :from_day AND :to_day
ORDER BY t.day, t.app, t.value, t.measure, t.bucket
