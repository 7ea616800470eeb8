-- name: sends_without_device_records
-- purpose: Notifications of a day that APNs accepted and of which no device record is here, by release and by whether
--   the log of the phone is known to have no gap then.
-- parameters:
--   day day UTC day of the send.
-- rows: many
-- columns:
--   app text? Bundle id of the app; null where it is not known.
--   app_version text? App version; null where it is not known.
--   covered boolean Whether a gapless run of the phone's counter lies around it: then the silence proves something.
--   notifications integer [notifications] Accepted, without a device record.
-- rate: none
SELECT
  n.app AS app,
  n.app_version AS app_version,
  n.covered AS covered,
  count(*) AS notifications
FROM notification AS n
WHERE n.id >= :day << 48 AND n.id < (:day + 1) << 48 AND n.status = 200 AND n.events = 0
GROUP BY n.app, n.app_version, n.covered
ORDER BY notifications DESC, app, app_version, covered
