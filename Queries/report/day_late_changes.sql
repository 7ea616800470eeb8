-- name: day_late_changes
-- purpose: Judgements of earlier days that were changed by the runs that knew of no send after one UTC day.
-- parameters:
--   day day UTC day of the report.
-- rows: many
-- columns:
--   day day The earlier day.
--   before integer Judgement before, as in the table notification.
--   now integer Judgement after.
--   notifications integer [notifications] Changed so.
-- rate: none
SELECT
  c.day AS day,
  c.from_judgement AS before,
  c.to_judgement AS now,
  sum(c.notifications) AS notifications
FROM ingest_run AS r
JOIN late_change AS c ON c.run = r.id
WHERE
  -- A device clock that is years ahead must not hide the changes of its run.
  min(r.newest_day, (SELECT max(d.day) FROM day_installation AS d)) = :day
  AND c.day < :day
GROUP BY c.day, c.from_judgement, c.to_judgement
HAVING sum(c.notifications) > 0
ORDER BY c.day DESC, c.from_judgement, c.to_judgement
