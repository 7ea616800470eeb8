-- name: day_answers
-- purpose: Last answers and links of one UTC day, from the roll-ups.
-- parameters:
--   day day UTC day of the send.
-- rows: many
-- columns:
--   status integer HTTP status of the last answer; 0 = no answer came, -1 = no send is known.
--   reason text Its reason; '' if none.
--   link integer 0 by an id, 1 by a guess, 2 no device record, 3 no send.
--   notifications integer [notifications] Counted.
-- rate: none
SELECT
  a.status AS status,
  a.reason AS reason,
  a.link AS link,
  a.notifications AS notifications
FROM day_answer AS a
WHERE a.day = :day
ORDER BY a.app, a.status, a.reason, a.link
