-- name: day_unlinked
-- purpose: Device records of one UTC day that no notification claims.
-- parameters:
--   day day UTC day of the records, device clock.
-- rows: one
-- columns:
--   unlinked integer [records] Records.
-- rate: none
SELECT coalesce(sum(d.unlinked), 0) AS unlinked
FROM installation_day AS d
WHERE d.id >= :day << 48 AND d.id < (:day + 1) << 48
