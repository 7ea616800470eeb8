-- Counts by release and installation: over how many phones a cause is spread, and what the numbers of a release rest on.
-- They stay when the notifications are pruned; a phone that goes with them is then a negative number.
CREATE TABLE release_installation (
  app_id INTEGER NOT NULL,           -- release and kind of phone: installed_app
  installation_id INTEGER NOT NULL,  -- installation
  class INTEGER NOT NULL,            -- as in day_rollup
  judgement INTEGER NOT NULL,        -- as in notification
  step TEXT NOT NULL,                -- '' if none
  cause TEXT NOT NULL,               -- '' if none
  link INTEGER NOT NULL,             -- as in day_answer
  covered INTEGER NOT NULL,          -- as in notification
  only_accepted INTEGER NOT NULL,    -- 1: as meant as far as APNs' answer tells, nothing else is known of it
  notifications INTEGER NOT NULL,    -- count
  PRIMARY KEY (app_id, installation_id, class, judgement, step, cause, link, covered, only_accepted)
) STRICT, WITHOUT ROWID;

INSERT INTO release_installation
SELECT
  n.app_id,
  n.installation_id,
  CASE
    WHEN n.kind = 1 THEN 2
    WHEN n.kind <> 0 THEN 3
    WHEN n.meant & 768 THEN 3
    WHEN n.meant & 62 THEN 0
    WHEN n.meant & 128 THEN 2
    ELSE 1
  END,
  n.judgement,
  coalesce(n.step, ''),
  coalesce(n.cause, ''),
  CASE
    WHEN n.sends = 0 THEN 3
    WHEN n.events = 0 THEN 2
    WHEN n.link IN (6, 7) THEN 1
    ELSE 0
  END,
  n.covered,
  n.judgement = 0 AND n.confidence = 0 AND n.kind IN (0, 1) AND n.meant & 768 = 0,
  count(*)
FROM notification_row AS n
GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9;
