-- name: coverage_by_source
-- purpose: Every source that was read, with its period and what became of its lines.
-- parameters: none
-- rows: many
-- columns:
--   id integer Number of the source, in order of reading.
--   name text File, archive member or stream.
--   adapter text? Format; null if none was recognised.
--   first_at time? Earliest record, its own clock; null if no record has a time.
--   last_at time? Latest record; null if no record has a time.
--   lines_read integer [lines] Lines; the next four sum to it, or to more where lines hold several records.
--   kept integer [records] Became records.
--   duplicate integer [records] Were here already.
--   noted integer [lines] Could not be understood.
--   skipped integer [lines] Blank lines and comments.
--   noted_share real? [0-1] Could not be understood, of records and lines that are no blank or comment; null if there are none.
-- rate: records, and lines that gave none; excludes blank lines and comments
SELECT
  s.id AS id,
  s.name AS name,
  nullif(s.adapter, '') AS adapter,
  s.first_at AS first_at,
  s.last_at AS last_at,
  s.lines_read AS lines_read,
  s.kept AS kept,
  s.duplicate AS duplicate,
  s.noted AS noted,
  s.skipped AS skipped,
  1.0 * s.noted / nullif(s.kept + s.duplicate + s.noted, 0) AS noted_share
FROM source AS s
ORDER BY s.id
