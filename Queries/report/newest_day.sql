-- name: newest_day
-- purpose: The newest day that has notifications.
-- parameters: none
-- rows: one
-- columns:
--   day day? UTC day; null in a database without notifications.
-- rate: none
SELECT max(d.day) AS day
FROM day_installation AS d
