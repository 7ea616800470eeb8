-- name: source_of_line
-- purpose: Where a source lies and where its chunks begin.
-- parameters:
--   source integer Number of the source.
-- rows: optional
-- columns:
--   name text File, archive member or stream.
--   adapter text Format; '' if none was recognised.
--   chunks blob Pairs of 64-bit numbers: offset and line of each chunk.
--   assumed_zone text? Zone that was taken for its times without one.
--   assumed_time time? Time that was taken for its records without one.
--   assumed_year integer? Year that was taken for its times without one.
-- rate: none
SELECT
  s.name AS name,
  s.adapter AS adapter,
  s.chunks AS chunks,
  s.assumed_zone AS assumed_zone,
  s.assumed_time AS assumed_time,
  s.assumed_year AS assumed_year
FROM source AS s
WHERE s.id = :source
