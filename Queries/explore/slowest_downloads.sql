-- name: slowest_downloads
-- purpose: The hundred slowest media downloads of a day.
-- parameters:
--   day day UTC day of the send.
-- rows: many
-- columns:
--   download_ms real [ms] Duration, device's monotonic clock.
--   handler_ms real? [ms] From didReceive to the content handler; null where it was not called or not recorded.
--   id text An id by which triage finds the notification.
--   sent_at time First send.
--   app_version text? App version; null where it is not known.
--   os_version text? OS version; null where it is not known.
--   device_model text? Device model; null where it is not known.
--   campaign text? Campaign; null for notifications without one.
--   step text? First broken step; null unless broken.
--   cause text? Cause; null unless broken.
-- rate: none
SELECT
  n.download_us / 1000.0 AS download_ms,
  n.handler_us / 1000.0 AS handler_ms,
  coalesce(n.apns_id, n.notification_id, CAST(n.id AS TEXT)) AS id,
  n.sent_at AS sent_at,
  n.app_version AS app_version,
  n.os_version AS os_version,
  n.device_model AS device_model,
  n.campaign AS campaign,
  iif(n.judgement = 1, n.step, NULL) AS step,
  iif(n.judgement = 1, n.cause, NULL) AS cause
FROM notification AS n
WHERE n.id >= :day << 48 AND n.id < (:day + 1) << 48 AND n.download_us IS NOT NULL
ORDER BY n.download_us DESC, n.id
LIMIT 100
