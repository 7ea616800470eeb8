-- name: broken_steps
-- purpose: The first broken steps of every notification that has some in a span of time, that of the verdict first.
-- parameters:
--   first integer Smallest row number of the UTC days concerned.
--   last integer Largest row number of the UTC days concerned.
--   from time Start of the span.
--   to time End of the span, excluded.
-- rows: many
-- columns:
--   notification integer Row number.
--   step text Step.
--   cause text Cause; '' if none is named.
--   sent_at time First send.
--   place integer 0 = the verdict; 1 = the first of the others.
-- rate: none
SELECT
  o.notification_id AS notification,
  o.step AS step,
  o.cause AS cause,
  o.sent_at AS sent_at,
  o.place AS place
FROM step_outcome AS o
WHERE
  o.notification_id BETWEEN :first AND :last
  AND o.place <= 1
  AND o.sent_at >= :from
  AND o.sent_at < :to
ORDER BY o.notification_id, o.place
