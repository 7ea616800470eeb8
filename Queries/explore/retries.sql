-- name: retries
-- purpose: Notifications of a day that were sent more than once, most attempts first.
-- parameters:
--   day day UTC day of the first send.
-- rows: many
-- columns:
--   id text An id by which triage finds the notification.
--   sent_at time First send.
--   attempts integer [sends] Sends.
--   status integer? HTTP status of the last answer; null where none was logged.
--   reason text? Its reason; null where none was given.
-- rate: none
SELECT
  coalesce(n.apns_id, n.notification_id, CAST(n.id AS TEXT)) AS id,
  n.sent_at AS sent_at,
  n.sends AS attempts,
  n.status AS status,
  n.reason AS reason
FROM notification AS n
WHERE n.id >= :day << 48 AND n.id < (:day + 1) << 48 AND n.sends > 1
ORDER BY n.sends DESC, n.sent_at DESC, n.id
