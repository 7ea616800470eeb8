-- name: payload_shapes
-- purpose: Payload shapes that were sent on a day, most frequent first; titles, texts and other private values are
--   not part of a shape.
-- parameters:
--   day day UTC day of the send.
-- rows: many
-- columns:
--   sends integer [sends] Sends with this shape.
--   topics integer Different topics among them.
--   shape json Keys, types and lengths, with the values of system keys.
-- rate: none
SELECT
  count(*) AS sends,
  count(DISTINCT json_extract(s.profile, '$.topic')) AS topics,
  h.shape AS shape
FROM send AS s
JOIN payload_shape AS h ON h.hash = s.payload_shape
WHERE s.notification >= :day << 48 AND s.notification < (:day + 1) << 48
GROUP BY h.hash
ORDER BY sends DESC, h.hash
