-- name: source_of_line
-- purpose: Where a source lies and where its chunks begin.
-- parameters:
--   source integer Number of the source.
-- rows: optional
-- columns:
--   name text File, archive member or stream.
--   adapter text Format; '' if none was recognised.
--   chunks blob Pairs of 64-bit numbers: offset and line of each chunk.
-- rate: none
SELECT
  s.name AS name,
  s.adapter AS adapter,
  s.chunks AS chunks
FROM source AS s
WHERE s.id = :source
