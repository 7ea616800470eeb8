-- name: failures_by_campaign
-- purpose: Judgements of a day by campaign, most broken first.
-- parameters:
--   day day UTC day of the send.
-- rows: many
-- columns:
--   campaign text? Campaign; null for notifications without one.
--   notifications integer [notifications] All.
--   broken integer [notifications] Judged broken.
--   cannot_tell integer [notifications] Of which it cannot be told.
--   broken_share real [0-1] Broken, of all.
-- rate: all notifications of the campaign on that day; excludes none
SELECT
  nullif(r.value, '') AS campaign,
  sum(r.notifications) AS notifications,
  sum(iif(r.judgement = 1, r.notifications, 0)) AS broken,
  sum(iif(r.judgement = 2, r.notifications, 0)) AS cannot_tell,
  1.0 * sum(iif(r.judgement = 1, r.notifications, 0)) / sum(r.notifications) AS broken_share
FROM day_rollup AS r
WHERE r.day = :day AND r.dimension = 'campaign'
GROUP BY r.value
ORDER BY broken_share DESC, notifications DESC, campaign
