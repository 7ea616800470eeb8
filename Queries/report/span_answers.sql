-- name: span_answers
-- purpose: Last answers and links of the notifications sent in a span of time, from their rows.
-- parameters:
--   first integer Smallest row number of the UTC days concerned.
--   last integer Largest row number of the UTC days concerned.
--   from time Start of the span.
--   to time End of the span, excluded.
-- rows: many
-- columns:
--   status integer HTTP status of the last answer; 0 = no answer came, -1 = no send is known.
--   reason text Its reason; '' if none.
--   link integer 0 by an id, 1 by a guess, 2 no device record, 3 no send.
--   notifications integer [notifications] Counted.
-- rate: none
SELECT
  iif(n.sends = 0, -1, coalesce(n.status, 0)) AS status,
  coalesce(n.reason, '') AS reason,
  CASE WHEN n.sends = 0 THEN 3 WHEN n.events = 0 THEN 2 WHEN n.link IN (6, 7) THEN 1 ELSE 0 END AS link,
  count(*) AS notifications
FROM notification AS n
WHERE n.id BETWEEN :first AND :last AND n.sent_at >= :from AND n.sent_at < :to
GROUP BY 1, 2, 3
ORDER BY 1, 2, 3
