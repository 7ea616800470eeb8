-- name: next_release
-- purpose: The release of a day that follows another one in order of app and release: a few look-ups list what a scan
--   of all counts would.
-- parameters:
--   day day UTC day of the send.
--   app text Bundle id of the app before; '' at first.
--   release text Version and build of the release before; '' at first.
-- rows: optional
-- columns:
--   app text Bundle id of the app; '' if it is not known.
--   release text Version and build.
-- rate: none
SELECT
  r.app AS app,
  r.value AS release
FROM day_rollup AS r
WHERE r.day = :day AND r.dimension = 'release' AND (r.app, r.value) > (:app, :release)
ORDER BY r.app, r.value
LIMIT 1
