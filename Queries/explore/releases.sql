-- name: releases
-- purpose: Every release that notifications went to, with its period and its judgements, newest first.
-- parameters: none
-- rows: many
-- columns:
--   app text? Bundle id of the app; null where it is not known.
--   release text Version and build.
--   first_day day First day with a notification; days without any send, maybe of a wrong clock, only where there is no other.
--   last_day day Last day with a notification; as the first.
--   notifications integer [notifications] All.
--   broken integer [notifications] Judged broken.
--   cannot_tell integer [notifications] Of which it cannot be told.
-- rate: none
WITH
  sent AS MATERIALIZED (
    SELECT d.day AS day
    FROM day_installation AS d
    WHERE EXISTS (SELECT 1 FROM day_answer AS a WHERE a.day = d.day AND a.status >= 0)
  )
SELECT
  nullif(r.app, '') AS app,
  r.value AS release,
  coalesce(min(s.day), min(r.day)) AS first_day,
  coalesce(max(s.day), max(r.day)) AS last_day,
  sum(r.notifications) AS notifications,
  sum(iif(r.judgement = 1, r.notifications, 0)) AS broken,
  sum(iif(r.judgement = 2, r.notifications, 0)) AS cannot_tell
FROM day_installation AS d
CROSS JOIN day_rollup AS r ON r.day = d.day AND r.dimension = 'release'
LEFT JOIN sent AS s ON s.day = r.day
WHERE r.value <> ''
GROUP BY r.app, r.value
ORDER BY last_day DESC, first_day DESC, app, release
