-- name: span_counts
-- purpose: Judgements and last stages of the notifications sent in a span of time, from their rows.
-- parameters:
--   first integer Smallest row number of the UTC days concerned.
--   last integer Largest row number of the UTC days concerned.
--   from time Start of the span.
--   to time End of the span, excluded.
-- rows: many
-- columns:
--   class integer Group of meanings: 0 rich, 1 plain, 2 silent, 3 other.
--   judgement integer As in the table notification.
--   step text Step; '' if none.
--   cause text Cause; '' if none.
--   confidence integer As in the table notification.
--   stage integer Stage + 16 times the stages seen beside it, both as in the table notification.
--   notifications integer [notifications] Counted.
-- rate: none
SELECT
  CASE
    WHEN n.kind = 1 THEN 2
    WHEN n.kind <> 0 THEN 3
    WHEN n.meant & 768 THEN 3
    WHEN n.meant & 62 THEN 0
    WHEN n.meant & 128 THEN 2
    ELSE 1
  END AS class,
  n.judgement AS judgement,
  coalesce(n.step, '') AS step,
  coalesce(n.cause, '') AS cause,
  n.confidence AS confidence,
  n.stage + 16 * n.seen AS stage,
  count(*) AS notifications
FROM notification AS n
WHERE n.id BETWEEN :first AND :last AND n.sent_at >= :from AND n.sent_at < :to
GROUP BY 1, 2, 3, 4, 5, 6
ORDER BY 1, 2, 3, 4, 5, 6
