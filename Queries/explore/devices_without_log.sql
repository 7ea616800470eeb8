-- name: devices_without_log
-- purpose: Installations that were sent to and have never logged anything, most recent first.
-- parameters: none
-- rows: many
-- columns:
--   device_id text? Installation id as logged by the sender; null where only a token is known.
--   token_ends text? First and last four characters of its newest token; null where none was registered.
--   first_at time First record.
--   last_at time Last record.
-- rate: none
SELECT
  i.device_id AS device_id,
  (
    SELECT t.ends
    FROM installation_token AS t
    WHERE t.installation_id = i.id
    ORDER BY t.last_at DESC
    LIMIT 1
  ) AS token_ends,
  i.first_at AS first_at,
  i.last_at AS last_at
FROM installation AS i
WHERE i.has_events = 0
ORDER BY i.last_at DESC, i.id
