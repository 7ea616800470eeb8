-- name: refusals_by_reason
-- purpose: Notifications of a day whose last answer was not 200, by status and reason, most frequent first.
-- parameters:
--   day day UTC day of the send.
-- rows: many
-- columns:
--   status integer HTTP status; 0 = no answer came.
--   reason text? Reason as it was written; null where none was given.
--   refused integer [notifications] With this last answer.
--   refused_share real [0-1] Of all that were sent.
-- rate: notifications of the day with a send; excludes those of which only device records are known
WITH
  answer AS (
    SELECT
      a.status AS status,
      a.reason AS reason,
      sum(a.notifications) AS notifications
    FROM day_answer AS a
    WHERE a.day = :day AND a.status >= 0
    GROUP BY a.status, a.reason
  )
SELECT
  a.status AS status,
  nullif(a.reason, '') AS reason,
  a.notifications AS refused,
  1.0 * a.notifications / (SELECT sum(notifications) FROM answer) AS refused_share
FROM answer AS a
WHERE a.status <> 200
ORDER BY refused DESC, a.status, a.reason
