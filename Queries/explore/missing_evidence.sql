-- name: missing_evidence
-- purpose: Evidence that would decide the notifications of a day of which it cannot be told, most wanted first.
-- parameters:
--   day day UTC day of the send.
-- rows: many
-- columns:
--   needs integer Bits of the evidence that is missing together, see the query verdicts for their names.
--   step text? Step behind which sight was lost; null where it is not known.
--   stage integer Last stage that was seen, as in the table notification.
--   notifications integer [notifications] Waiting for it.
-- rate: none
SELECT
  n.needs AS needs,
  n.step AS step,
  n.stage AS stage,
  count(*) AS notifications
FROM notification AS n
WHERE n.id >= :day << 48 AND n.id < (:day + 1) << 48 AND n.judgement = 2
GROUP BY n.needs, n.step, n.stage
ORDER BY notifications DESC, needs, step, stage
