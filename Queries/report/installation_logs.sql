-- name: installation_logs
-- purpose: Whether an installation ever logged anything.
-- parameters:
--   installation integer Installation.
-- rows: optional
-- columns:
--   logs boolean It did.
-- rate: none
SELECT
  i.has_events AS logs
FROM installation AS i
WHERE i.id = :installation
