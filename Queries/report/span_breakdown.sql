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
      count(*) AS notifications
    FROM notification AS n
    WHERE n.id BETWEEN :first AND :last AND n.sent_at >= :from AND n.sent_at < :to
    GROUP BY 1, 2, 3, 4, 5, 6
  )
SELECT
  'campaign' AS dimension,
  s.app AS app,
  s.campaign AS value,
  s.judgement AS judgement,
  sum(s.notifications) AS notifications
FROM sent AS s
GROUP BY s.app, s.campaign, s.judgement
UNION ALL
SELECT 'os', s.app, s.os, s.judgement, sum(s.notifications)
FROM sent AS s
GROUP BY s.app, s.os, s.judgement
UNION ALL
SELECT 'release', s.app, s.release, s.judgement, sum(s.notifications)
FROM sent AS s
GROUP BY s.app, s.release, s.judgement
UNION ALL
SELECT 'topic', s.app, s.topic, s.judgement, sum(s.notifications)
FROM sent AS s
GROUP BY s.app, s.topic, s.judgement
ORDER BY 1, 2, 3, 4
