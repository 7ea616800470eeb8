-- name: day_breakdown
-- purpose: Judgements of one UTC day by release, OS version, topic and campaign, from the roll-ups.
-- parameters:
--   day day UTC day of the send.
-- rows: many
-- columns:
--   dimension text release, os, topic or campaign.
--   app text Bundle id of the app; '' if it is not known.
--   value text Value of the dimension; '' if it is not known.
--   judgement integer As in the table notification.
--   only_accepted integer 1 for what is as meant as far as APNs' answer tells: nothing else is known of it.
--   notifications integer [notifications] Counted.
-- rate: none
SELECT
  r.dimension AS dimension,
  r.app AS app,
  r.value AS value,
  r.judgement AS judgement,
  r.judgement = 0 AND r.confidence = 0 AND r.class <> 3 AS only_accepted,
  r.notifications AS notifications
FROM day_rollup AS r
WHERE r.day = :day AND r.dimension IN ('campaign', 'os', 'release', 'topic')
ORDER BY
  r.dimension, r.app, r.value, r.class, r.judgement, r.step, r.cause, r.confidence, r.stage
