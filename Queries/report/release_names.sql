-- name: release_names
-- purpose: Every app and release that notifications went to, with its days.
-- parameters:
--   from_day day? First day of the send; no limit if it is left out.
--   to_day day? Last day of the send; no limit if it is left out.
-- rows: many
-- columns:
--   app text Bundle id of the app; '' if it is not known.
--   release text Version and build.
--   first_day day First day with a notification.
--   last_day day Last day with a notification.
-- rate: none
SELECT
  r.app AS app,
  r.value AS release,
  min(r.day) AS first_day,
  max(r.day) AS last_day
FROM day_installation AS d
CROSS JOIN day_rollup AS r ON r.day = d.day AND r.dimension = 'release'
WHERE
  r.value <> ''
  AND d.day >= coalesce(:from_day, d.day)
  AND d.day <= coalesce(:to_day, d.day)
GROUP BY r.app, r.value
ORDER BY r.app, r.value
