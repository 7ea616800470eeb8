-- name: day_replaced
-- purpose: Notifications of one UTC day that are as meant since a newer send replaced them, from the roll-ups.
-- parameters:
--   day day UTC day of the send.
-- rows: many
-- columns:
--   class integer Group of meanings: 0 rich, 1 plain, 2 silent, 3 other.
--   app text Bundle id of the app; '' if it is not known.
--   release text Version and build; '' if not known.
--   os text OS version; '' if not known.
--   topic text Topic; '' if none.
--   campaign text Campaign; '' if none.
--   notifications integer [notifications] Counted.
-- rate: none
SELECT
  r.class AS class,
  r.app AS app,
  r.release AS release,
  r.os AS os,
  r.topic AS topic,
  r.campaign AS campaign,
  r.notifications AS notifications
FROM day_replaced AS r
WHERE r.day = :day
ORDER BY r.app, r.release, r.os, r.model, r.topic, r.campaign, r.class
