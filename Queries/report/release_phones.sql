-- name: release_phones
-- purpose: Judgements of one release over some days by OS version and device model, from the roll-ups.
-- parameters:
--   app text Bundle id of the app; '' if it is not known.
--   release text Version and build.
--   from_day day First day of the send.
--   to_day day Last day of the send.
-- rows: many
-- columns:
--   class integer Group of meanings: 0 rich, 1 plain, 2 silent, 3 other.
--   judgement integer As in the table notification.
--   step text Step; '' if none.
--   cause text Cause; '' if none.
--   confidence integer As in the table notification.
--   stage integer Always -1.
--   notifications integer [notifications] Counted.
--   os text OS version; '' if it is not known.
--   model text Device model; '' if it is not known.
-- rate: none
SELECT
  r.class AS class,
  r.judgement AS judgement,
  r.step AS step,
  r.cause AS cause,
  r.confidence AS confidence,
  -1 AS stage,
  sum(r.notifications) AS notifications,
  r.os AS os,
  r.model AS model
FROM day_installation AS d
CROSS JOIN day_phone AS r ON r.day = d.day AND r.app = :app AND r.release = :release
WHERE d.day BETWEEN :from_day AND :to_day
GROUP BY r.os, r.model, r.class, r.judgement, r.step, r.cause, r.confidence
ORDER BY r.os, r.model, r.class, r.judgement, r.step, r.cause, r.confidence
