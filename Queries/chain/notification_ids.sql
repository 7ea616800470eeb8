-- name: notification_ids
-- purpose: What tells one notification from others with the same id.
-- parameters:
--   row integer Row number.
--   id text An id; of a UUID the letters' case does not count.
-- rows: optional
-- columns:
--   matches boolean Whether one of its ids, or one of its records', is this id.
--   sends integer [sends] Attempts.
--   sent_at time First send; without one the first event, device clock.
--   judgement integer As in the table notification.
--   step text? Step; null if none is named.
--   cause text? Cause; null if none is named.
--   device_id text? Installation id as logged; null where only a token is known.
--   token_ends text? First and last four characters of its token; null where none is known.
--   apns_id text? The apns-id of the last answer that has one; null where none is known.
-- rate: none
SELECT
  coalesce(
    lower(:id) IN (
      lower(n.notification_id), lower(n.apns_id), lower(n.collapse_id), lower(n.request_id))
    OR instr(lower(n.timeline), json_quote(lower(:id))) > 0, 0) AS matches,
  n.sends AS sends,
  n.sent_at AS sent_at,
  n.judgement AS judgement,
  n.step AS step,
  n.cause AS cause,
  i.device_id AS device_id,
  n.token_ends AS token_ends,
  n.apns_id AS apns_id
FROM notification AS n
LEFT JOIN installation AS i ON i.id = n.installation_id
WHERE n.id = :row
