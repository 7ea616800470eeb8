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
--   lines_read integer [lines] The sum of the next four.
--   kept integer [lines] Became records.
--   duplicate integer [lines] Were here already.
--   noted integer [lines] Could not be understood.
--   skipped integer [lines] Blank lines and comments.
--   noted_share real? [0-1] Could not be understood, of those that are no blank or comment; null if there are none.
-- rate: lines read; excludes blank lines and comments
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
  1.0 * s.noted / nullif(s.lines_read - s.skipped, 0) AS noted_share
FROM source AS s
ORDER BY s.id
