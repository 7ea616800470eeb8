-- name: guesses
-- purpose: Notifications of a day whose device records only a guess ties to them.
-- parameters:
--   day day UTC day of the send.
-- rows: many
-- columns:
--   id text An id by which triage finds the notification.
--   sent_at time First send.
--   link text Kind of guess.
--   device_id text? Installation id as logged; null where only a token is known.
--   step text? First broken step; null unless broken.
--   cause text? Cause; null unless broken.
-- rate: none
SELECT
  coalesce(n.apns_id, n.notification_id, CAST(n.id AS TEXT)) AS id,
  n.sent_at AS sent_at,
  w.text AS link,
  i.device_id AS device_id,
  iif(n.judgement = 1, n.step, NULL) AS step,
  iif(n.judgement = 1, n.cause, NULL) AS cause
FROM notification AS n
JOIN link_word AS w ON w.code = n.link
LEFT JOIN installation AS i ON i.id = n.installation_id
WHERE n.id >= :day << 48 AND n.id < (:day + 1) << 48 AND n.link IN (6, 7)
ORDER BY n.sent_at DESC, n.id
