-- name: stored_lines
-- purpose: One block of stored lines, compressed.
-- parameters:
--   block integer Number of the block.
-- rows: optional
-- columns:
--   size integer [B] Bytes before compression.
--   lines blob Compressed lines.
--   dictionary blob? Dictionary; null if none is needed.
-- rate: none
SELECT
  b.size AS size,
  b.lines AS lines,
  d.dictionary AS dictionary
FROM raw_block AS b
LEFT JOIN raw_dictionary AS d ON d.id = b.dictionary_id
WHERE b.id = :block
