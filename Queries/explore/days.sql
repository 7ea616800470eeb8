-- name: days
-- purpose: Days that have notifications, newest first, with their judgements. Days without a send come last: their
--   dates are those of phones, whose clocks may be wrong.
-- parameters: none
-- rows: many
-- columns:
--   day day UTC day of the send.
--   notifications integer [notifications] All of the day.
--   sent integer [notifications] Of these, those that the send log has.
--   as_meant integer [notifications] Judged as meant.
--   broken integer [notifications] Judged broken.
--   cannot_tell integer [notifications] Of which it cannot be told.
--   conflicting integer [notifications] With conflicting evidence.
--   broken_share real [0-1] Broken, of all.
-- rate: all notifications of the day; excludes none, those of which it cannot be told count as not broken
SELECT
  r.day AS day,
  sum(r.notifications) AS notifications,
  (
    SELECT coalesce(sum(a.notifications), 0) FROM day_answer AS a WHERE a.day = r.day AND a.status >= 0
  ) AS sent,
  sum(iif(r.judgement = 0, r.notifications, 0)) AS as_meant,
  sum(iif(r.judgement = 1, r.notifications, 0)) AS broken,
  sum(iif(r.judgement = 2, r.notifications, 0)) AS cannot_tell,
  sum(iif(r.judgement = 3, r.notifications, 0)) AS conflicting,
  1.0 * sum(iif(r.judgement = 1, r.notifications, 0)) / sum(r.notifications) AS broken_share
FROM day_installation AS d
CROSS JOIN day_rollup AS r ON r.day = d.day AND r.dimension = 'all'
GROUP BY r.day
ORDER BY sent = 0, r.day DESC
