-- name: sent_days
-- purpose: The first and the newest day that the send log knows sends of: days that only phones speak of may be those of a
--   wrong clock.
-- parameters: none
-- rows: one
-- columns:
--   first day? UTC day; null in a database without sends.
--   newest day? UTC day; null in a database without sends.
-- rate: none
WITH
  sent AS (
    SELECT d.day AS day
    FROM day_installation AS d
    WHERE EXISTS (SELECT 1 FROM day_answer AS a WHERE a.day = d.day AND a.status >= 0)
  )
SELECT
  (SELECT s.day FROM sent AS s ORDER BY s.day LIMIT 1) AS first,
  (SELECT s.day FROM sent AS s ORDER BY s.day DESC LIMIT 1) AS newest
