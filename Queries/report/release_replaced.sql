-- name: release_replaced
-- purpose: Notifications of one release over some days that are as meant since a newer send replaced them, by OS version
--   and device model, from the roll-ups.
-- parameters:
--   app text Bundle id of the app; '' if it is not known.
--   release text Version and build.
--   from_day day First day of the send.
--   to_day day Last day of the send.
-- rows: many
-- columns:
--   class integer Group of meanings: 0 rich, 1 plain, 2 silent, 3 other.
--   os text OS version; '' if it is not known.
--   model text Device model; '' if it is not known.
--   notifications integer [notifications] Counted.
-- rate: none
SELECT
  r.class AS class,
  r.os AS os,
  r.model AS model,
  sum(r.notifications) AS notifications
FROM day_installation AS d
CROSS JOIN day_replaced AS r ON r.day = d.day AND r.app = :app AND r.release = :release
WHERE d.day BETWEEN :from_day AND :to_day
GROUP BY r.os, r.model, r.class
ORDER BY r.os, r.model, r.class
