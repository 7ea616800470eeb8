-- name: span_breakdown
-- purpose: Judgements of the notifications sent in a span of time by release, OS version, topic and campaign, from their
--   rows.
-- parameters:
--   first integer Smallest row number of the UTC days concerned.
--   last integer Largest row number of the UTC days concerned.
--   from time Start of the span.
--   to time End of the span, excluded.
-- rows: many
-- columns:
--   dimension text release, os, topic or campaign.
--   app text Bundle id of the app; '' if it is not known.
--   value text Value of the dimension; '' if it is not known.
--   judgement integer As in the table notification.
--   only_accepted integer 1 for what is as meant as far as APNs' answer tells: nothing else is known of it.
--   notifications integer [notifications] Counted.
-- rate: none
WITH
  sent AS MATERIALIZED (
    SELECT
      coalesce(n.app, '') AS app,
      coalesce(n.app_version || coalesce('(' || n.build || ')', ''), '') AS release,
      coalesce(n.os_version, '') AS os,
      coalesce(n.topic, '') AS topic,
      coalesce(n.campaign, '') AS campaign,
      n.judgement AS judgement,
      n.judgement = 0 AND n.confidence = 0 AND n.kind IN (0, 1) AND n.meant & 768 = 0
        AS only_accepted,
      count(*) AS notifications
    FROM notification AS n
    WHERE n.id BETWEEN :first AND :last AND n.sent_at >= :from AND n.sent_at < :to
    GROUP BY 1, 2, 3, 4, 5, 6, 7
  )
SELECT
  'campaign' AS dimension,
  s.app AS app,
  s.campaign AS value,
  s.judgement AS judgement,
  s.only_accepted AS only_accepted,
  sum(s.notifications) AS notifications
FROM sent AS s
GROUP BY s.app, s.campaign, s.judgement, s.only_accepted
UNION ALL
SELECT 'os', s.app, s.os, s.judgement, s.only_accepted, sum(s.notifications)
FROM sent AS s
GROUP BY s.app, s.os, s.judgement, s.only_accepted
UNION ALL
SELECT 'release', s.app, s.release, s.judgement, s.only_accepted, sum(s.notifications)
FROM sent AS s
GROUP BY s.app, s.release, s.judgement, s.only_accepted
UNION ALL
SELECT 'topic', s.app, s.topic, s.judgement, s.only_accepted, sum(s.notifications)
FROM sent AS s
GROUP BY s.app, s.topic, s.judgement, s.only_accepted
ORDER BY 1, 2, 3, 4, 5
