-- name: span_installations
-- purpose: Installations of the notifications sent in a span of time, from their rows.
-- parameters:
--   first integer Smallest row number of the UTC days concerned.
--   last integer Largest row number of the UTC days concerned.
--   from time Start of the span.
--   to time End of the span, excluded.
-- rows: one
-- columns:
--   seen integer [installations] With a notification.
--   logging integer [installations] Of these, those with a device event of one of them.
--   gapless integer [installations] Of the logging, those with a gapless counter around each of them.
-- rate: none
WITH
  seen AS (
    SELECT
      max(n.events > 0) AS logging,
      min(n.covered) AS gapless
    FROM notification AS n
    WHERE n.id BETWEEN :first AND :last AND n.sent_at >= :from AND n.sent_at < :to
    GROUP BY n.installation_id
  )
SELECT
  count(*) AS seen,
  coalesce(sum(s.logging), 0) AS logging,
  coalesce(sum(s.logging AND s.gapless), 0) AS gapless
FROM seen AS s
