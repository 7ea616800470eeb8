-- name: release_facts
-- purpose: Facts of one built app, one value a row.
-- parameters:
--   app text Bundle id of the app.
--   version text Version.
--   build text Build; facts of the version as a whole serve where the build has none.
-- rows: many
-- columns:
--   path text Name of the fact, dotted, list places in brackets.
--   value text? The value as text; null where it is known to be missing.
-- rate: none
SELECT
  -- SQLite puts quotes around some names.
  replace(substr(j.fullkey, 3), '"', '') AS path,
  CASE j.type WHEN 'true' THEN 'true' WHEN 'false' THEN 'false' ELSE CAST(j.atom AS TEXT) END AS value
FROM release_fact AS f
JOIN json_tree(f.facts) AS j
WHERE
  f.bundle = :app
  AND f.version = :version
  AND f.build = (
    SELECT max(b.build)
    FROM release_fact AS b
    WHERE b.bundle = :app AND b.version = :version AND b.build IN ('', :build)
  )
  AND j.type NOT IN ('object', 'array')
  AND j.fullkey <> '$'
ORDER BY path, j.id
