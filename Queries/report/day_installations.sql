-- name: day_installations
-- purpose: Installations of one UTC day, from the roll-ups.
-- parameters:
--   day day UTC day of the send.
-- rows: optional
-- columns:
--   seen integer [installations] With a notification.
--   logging integer [installations] Of these, those with a device event of one of them.
--   gapless integer [installations] Of the logging, those with a gapless counter around each of them.
-- rate: none
SELECT
  d.seen AS seen,
  d.logging AS logging,
  d.gapless AS gapless
FROM day_installation AS d
WHERE d.day = :day
