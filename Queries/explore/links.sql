-- name: links
-- purpose: What ties the two sides of the notifications of a day together, by key; guesses apart.
-- parameters:
--   day day UTC day of the send.
-- rows: many
-- columns:
--   link text Key of the weakest link that was needed.
--   guess boolean Whether it is a guess.
--   notifications integer [notifications] With sends and device records.
--   broken integer [notifications] Of these, judged broken.
-- rate: none
SELECT
  w.text AS link,
  w.code IN (6, 7) AS guess,
  count(*) AS notifications,
  sum(n.judgement = 1) AS broken
FROM notification AS n
JOIN link_word AS w ON w.code = n.link
WHERE n.id >= :day << 48 AND n.id < (:day + 1) << 48 AND n.sends > 0 AND n.events > 0
GROUP BY w.code
ORDER BY w.code
