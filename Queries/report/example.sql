-- name: example
-- purpose: What a report shows of one notification.
-- parameters:
--   row integer Row number.
-- rows: optional
-- columns:
--   apns_id text? The apns-id of the last answer that has one; null where none is known.
--   notification_id text? The sender's own id; null where none is known.
--   sent_at time? First send; null where no send is known.
--   status integer? HTTP status of the last answer; null where none was logged.
--   reason text? Its reason; null where none was given.
--   app text? Bundle id of the app; null where it is not known.
--   app_version text? App version; null where it is not known.
--   build text? Build; null where it is not known.
--   judgement integer As in the table notification.
-- rate: none
SELECT
  n.apns_id AS apns_id,
  n.notification_id AS notification_id,
  iif(n.sends > 0, n.sent_at, NULL) AS sent_at,
  n.status AS status,
  n.reason AS reason,
  n.app AS app,
  n.app_version AS app_version,
  n.build AS build,
  n.judgement AS judgement
FROM notification AS n
WHERE n.id = :row
