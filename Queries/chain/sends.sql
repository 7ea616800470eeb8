-- name: sends
-- purpose: The sends of one notification, oldest first.
-- parameters:
--   row integer Number of the notification's row, as triage shows it.
-- rows: many
-- columns:
--   place integer Place among the sends of the notification, from 0.
--   sent_at time When the request was sent.
--   source text File, archive member or stream.
--   line integer Its line.
--   profile json Status, reason, topic and what else many sends share.
-- rate: none
SELECT
  s.place AS place,
  s.sent_at AS sent_at,
  f.name AS source,
  s.line AS line,
  s.profile AS profile
FROM send AS s
JOIN source AS f ON f.id = s.source_id
WHERE s.notification = :row
ORDER BY s.place
