-- name: failures_by_cause
-- purpose: Broken notifications of a day by step and cause, most frequent first.
-- parameters:
--   day day UTC day of the send.
-- rows: many
-- columns:
--   step text First broken step.
--   cause text? Cause; null where none is determined.
--   broken integer [notifications] Broken there for this cause.
--   certain integer [notifications] Of these, those whose cause is certain.
--   likely integer [notifications] Of these, those whose cause is likely.
--   possible integer [notifications] Of these, those whose cause is possible.
--   broken_share real [0-1] Of all notifications of the day.
-- rate: all notifications of the day; excludes none, those of which it cannot be told count as not broken
SELECT
  r.step AS step,
  nullif(r.cause, '') AS cause,
  sum(r.notifications) AS broken,
  sum(iif(r.confidence = 2, r.notifications, 0)) AS certain,
  sum(iif(r.confidence = 1, r.notifications, 0)) AS likely,
  sum(iif(r.confidence = 0, r.notifications, 0)) AS possible,
  1.0 * sum(r.notifications) / (
    SELECT sum(t.notifications) FROM day_rollup AS t WHERE t.day = :day AND t.dimension = 'all'
  ) AS broken_share
FROM day_rollup AS r
WHERE r.day = :day AND r.dimension = 'all' AND r.judgement = 1
GROUP BY r.step, r.cause
ORDER BY broken DESC, step, cause
