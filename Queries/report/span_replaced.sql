-- name: span_replaced
-- purpose: Notifications sent in a span of time that are as meant since a newer send replaced them, from their rows.
-- parameters:
--   first integer Smallest row number of the UTC days concerned.
--   last integer Largest row number of the UTC days concerned.
--   from time Start of the span.
--   to time End of the span, excluded.
-- rows: many
-- columns:
--   class integer Group of meanings: 0 rich, 1 plain, 2 silent, 3 other.
--   app text Bundle id of the app; '' if it is not known.
--   release text Version and build; '' if not known.
--   os text OS version; '' if not known.
--   topic text Topic; '' if none.
--   campaign text Campaign; '' if none.
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
  coalesce(n.app, '') AS app,
  coalesce(n.app_version || coalesce('(' || n.build || ')', ''), '') AS release,
  coalesce(n.os_version, '') AS os,
  coalesce(n.topic, '') AS topic,
  coalesce(n.campaign, '') AS campaign,
  count(*) AS notifications
FROM notification AS n
WHERE
  n.id BETWEEN :first AND :last
  AND n.sent_at >= :from
  AND n.sent_at < :to
  AND n.replaced = 1
  AND n.judgement = 0
GROUP BY 1, 2, 3, 4, 5, 6
ORDER BY 1, 2, 3, 4, 5, 6
