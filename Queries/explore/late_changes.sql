-- name: late_changes
-- purpose: Judgements of earlier days that later records changed, newest run first.
-- parameters: none
-- rows: many
-- columns:
--   run integer Run of ingest.
--   day day UTC day of the send.
--   before text Judgement before.
--   now text Judgement after.
--   notifications integer [notifications] Changed so.
-- rate: none
WITH
  judgement_word (code, text) AS (
    VALUES (0, 'as-meant'), (1, 'broken'), (2, 'cannot-tell'), (3, 'conflicting')
  )
SELECT
  c.run AS run,
  c.day AS day,
  b.text AS before,
  a.text AS now,
  c.notifications AS notifications
FROM late_change AS c
JOIN judgement_word AS b ON b.code = c.from_judgement
JOIN judgement_word AS a ON a.code = c.to_judgement
ORDER BY c.run DESC, c.day DESC, c.from_judgement, c.to_judgement
