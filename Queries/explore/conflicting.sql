-- name: conflicting
-- purpose: Notifications of a day with conflicting evidence, newest first.
-- parameters:
--   day day UTC day of the send.
-- rows: many
-- columns:
--   id text An id by which triage finds the notification.
--   sent_at time First send.
--   step text? Step that a record calls broken and a later sighting settles; null where it is not named.
--   cause text? Cause that the record speaks for; null where it is not named.
--   app_version text? App version; null where it is not known.
-- rate: none
SELECT
  coalesce(n.apns_id, n.notification_id, CAST(n.id AS TEXT)) AS id,
  n.sent_at AS sent_at,
  n.step AS step,
  n.cause AS cause,
  n.app_version AS app_version
FROM notification AS n
WHERE n.id >= :day << 48 AND n.id < (:day + 1) << 48 AND n.judgement = 3
ORDER BY n.sent_at DESC, n.id
