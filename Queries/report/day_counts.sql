-- name: day_counts
-- purpose: Judgements and last stages of one UTC day, from the roll-ups.
-- parameters:
--   day day UTC day of the send.
-- rows: many
-- columns:
--   class integer Group of meanings: 0 rich, 1 plain, 2 silent, 3 other.
--   judgement integer As in the table notification.
--   step text Step; '' if none.
--   cause text Cause; '' if none.
--   confidence integer As in the table notification.
--   stage integer As in the table day_rollup.
--   notifications integer [notifications] Counted.
-- rate: none
SELECT
  r.class AS class,
  r.judgement AS judgement,
  r.step AS step,
  r.cause AS cause,
  r.confidence AS confidence,
  r.stage AS stage,
  r.notifications AS notifications
FROM day_rollup AS r
WHERE r.day = :day AND r.dimension = 'all'
ORDER BY r.app, r.value, r.class, r.judgement, r.step, r.cause, r.confidence, r.stage
