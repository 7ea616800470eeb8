-- name: device_events
-- purpose: The device events of one notification, in stored order.
-- parameters:
--   row integer Number of the notification's row, as triage shows it.
-- rows: many
-- columns:
--   place integer Place among the events of the notification, from 0.
--   event text Name of the event.
--   recorded_at time When it was recorded, device clock.
--   seq integer? Counter of the installation; null where the recorder has none.
--   source text File, archive member or stream.
--   line integer Its line.
--   attrs json? Attributes; null where there are none.
-- rate: none
SELECT
  e.place AS place,
  e.event AS event,
  e.recorded_at AS recorded_at,
  e.seq AS seq,
  f.name AS source,
  e.line AS line,
  e.attrs AS attrs
FROM device_event AS e
JOIN source AS f ON f.id = e.source_id
WHERE e.notification = :row
ORDER BY e.place
