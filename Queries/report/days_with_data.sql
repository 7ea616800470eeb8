-- name: days_with_data
-- purpose: Days that have notifications, oldest first.
-- parameters: none
-- rows: many
-- columns:
--   day day UTC day.
-- rate: none
SELECT d.day AS day
FROM day_installation AS d
ORDER BY d.day
