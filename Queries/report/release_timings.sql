-- name: release_timings
-- purpose: Durations of one release over some days in buckets, from the roll-ups.
-- parameters:
--   app text Bundle id of the app; '' if it is not known.
--   release text Version and build.
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
  sum(t.notifications) AS notifications
FROM day_installation AS d
CROSS JOIN day_timing AS t ON t.day = d.day AND t.app = :app AND t.value = :release
WHERE d.day BETWEEN :from_day AND :to_day
GROUP BY t.measure, t.bucket
ORDER BY t.measure, t.bucket
