-- name: unlinked_records
-- purpose: Installations and days with device records that no notification claims, most first.
-- parameters:
--   day day? UTC day of the records; all days if it is left out.
-- rows: many
-- columns:
--   day day UTC day of the records, device clock.
--   device_id text? Installation id as logged; null where only a token is known.
--   unlinked integer [records] Records that no notification claims.
--   records integer [records] These and the installation's own (heartbeats, settings, registrations).
-- rate: none
SELECT
  d.id >> 48 AS day,
  i.device_id AS device_id,
  d.unlinked AS unlinked,
  d.records AS records
FROM installation_day AS d
LEFT JOIN installation AS i ON i.id = d.installation_id
WHERE
  d.unlinked > 0
  AND d.id >= coalesce(:day << 48, 0)
  AND d.id < coalesce((:day + 1) << 48, 0x7fffffffffffffff)
ORDER BY unlinked DESC, d.id
