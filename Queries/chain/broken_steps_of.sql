-- name: broken_steps_of
-- purpose: The broken steps of one notification, in the order of the path.
-- parameters:
--   row integer Row number.
-- rows: many
-- columns:
--   place integer 0 = the verdict.
--   step text Step.
--   cause text Cause; '' if none is named.
--   confidence integer As in the table notification.
-- rate: none
SELECT
  o.place AS place,
  o.step AS step,
  o.cause AS cause,
  o.confidence AS confidence
FROM step_outcome AS o
WHERE o.notification_id = :row
ORDER BY o.place
