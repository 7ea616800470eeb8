-- name: example
-- purpose: What a report shows of one notification.
-- parameters:
--   row integer Row number.
-- rows: optional
-- columns:
--   id text An id by which triage finds it: the apns-id, which is no other's, where there is one.
--   sent_at time? First send; null where no send is known.
--   status integer? HTTP status of the last answer; null where none was logged.
--   reason text? Its reason; null where none was given.
--   app text? Bundle id of the app; null where it is not known.
--   app_version text? App version; null where it is not known.
--   build text? Build; null where it is not known.
--   judgement integer As in the table notification.
-- rate: none
SELECT
  coalesce(n.apns_id, n.notification_id, CAST(n.id AS TEXT)) AS id,
  iif(n.sends > 0, n.sent_at, NULL) AS sent_at,
  n.status AS status,
  n.reason AS reason,
  n.app AS app,
  n.app_version AS app_version,
  n.build AS build,
  n.judgement AS judgement
FROM notification AS n
WHERE n.id = :row
