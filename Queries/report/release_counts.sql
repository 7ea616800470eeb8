-- name: release_counts
-- purpose: Judgements of one release over some days, from the roll-ups.
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
-- rate: none
SELECT
  r.class AS class,
  r.judgement AS judgement,
  r.step AS step,
  r.cause AS cause,
  r.confidence AS confidence,
  -1 AS stage,
  sum(r.notifications) AS notifications
FROM day_installation AS d
CROSS JOIN day_rollup AS r
  ON r.day = d.day AND r.dimension = 'release' AND r.app = :app AND r.value = :release
WHERE d.day BETWEEN :from_day AND :to_day
GROUP BY r.class, r.judgement, r.step, r.cause, r.confidence
ORDER BY r.class, r.judgement, r.step, r.cause, r.confidence
