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
WITH
  sent AS (
    SELECT
      json_extract(s.value, '$[4]') AS shape,
      json_extract(s.value, '$[3]') AS profile,
      count(*) AS sends
    FROM notification AS n
    JOIN json_each(n.timeline, '$.s') AS s
    WHERE n.id >= :day << 48 AND n.id < (:day + 1) << 48
    GROUP BY 1, 2
  )
SELECT
  sum(r.sends) AS sends,
  count(DISTINCT json_extract(p.profile, '$.topic')) AS topics,
  h.shape AS shape
FROM sent AS r
JOIN send_profile AS p ON p.id = r.profile
JOIN payload_shape AS h ON h.hash = r.shape
GROUP BY h.hash
ORDER BY sends DESC, h.hash
