-- name: token_changes
-- purpose: Installations that registered more than one token, most tokens first.
-- parameters: none
-- rows: many
-- columns:
--   device_id text? Installation id as logged; null where it is not known.
--   tokens integer Different tokens.
--   newest_ends text First and last four characters of the token registered last.
--   newest_at time When that one was first registered, device clock.
-- rate: none
SELECT
  i.device_id AS device_id,
  count(*) AS tokens,
  (
    SELECT w.ends
    FROM installation_token AS w
    WHERE w.installation_id = t.installation_id
    ORDER BY w.first_at DESC, w.token
    LIMIT 1
  ) AS newest_ends,
  max(t.first_at) AS newest_at
FROM installation_token AS t
LEFT JOIN installation AS i ON i.id = t.installation_id
GROUP BY t.installation_id
HAVING count(*) > 1
ORDER BY tokens DESC, t.installation_id
