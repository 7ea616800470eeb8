-- name: span_is_empty
-- purpose: Whether there is no notification, and no send, of a span of time.
-- parameters:
--   first integer Smallest row number of the UTC days concerned.
--   last integer Largest row number of the UTC days concerned.
--   from time Start of the span.
--   to time End of the span, excluded.
-- rows: one
-- columns:
--   is_empty boolean Whether there is no notification.
--   is_unsent boolean Whether no send is known.
-- rate: none
SELECT
  NOT EXISTS (
    SELECT 1
    FROM notification AS n
    WHERE n.id BETWEEN :first AND :last AND n.sent_at >= :from AND n.sent_at < :to
  ) AS is_empty,
  NOT EXISTS (
    SELECT 1
    FROM notification AS n
    WHERE
      n.id BETWEEN :first AND :last
      AND n.sent_at >= :from
      AND n.sent_at < :to
      AND n.sends > 0
  ) AS is_unsent
