-- Notifications as meant that a newer send with their collapse id replaced, by all that reports count by. They are in the
-- other counts too.
CREATE TABLE day_replaced (
  day INTEGER NOT NULL,              -- day of the send
  app TEXT NOT NULL,                 -- bundle id of the app, '' if not known
  release TEXT NOT NULL,             -- version(build), '' if not known
  os TEXT NOT NULL,                  -- OS version, '' if not known
  model TEXT NOT NULL,               -- device model, '' if not known
  topic TEXT NOT NULL,               -- topic, '' if none
  campaign TEXT NOT NULL,            -- campaign, '' if none
  class INTEGER NOT NULL,            -- as in day_rollup
  notifications INTEGER NOT NULL,    -- count
  PRIMARY KEY (day, app, release, os, model, topic, campaign, class)
) STRICT, WITHOUT ROWID;

INSERT INTO day_replaced
SELECT
  n.id >> 48,
  coalesce(n.app, ''),
  coalesce(n.app_version || coalesce('(' || n.build || ')', ''), ''),
  coalesce(n.os_version, ''),
  coalesce(n.device_model, ''),
  coalesce(n.topic, ''),
  coalesce(n.campaign, ''),
  CASE
    WHEN n.kind = 1 THEN 2
    WHEN n.kind <> 0 THEN 3
    WHEN n.meant & 768 THEN 3
    WHEN n.meant & 62 THEN 0
    WHEN n.meant & 128 THEN 2
    ELSE 1
  END,
  count(*)
FROM notification AS n
WHERE n.replaced = 1 AND n.judgement = 0
GROUP BY 1, 2, 3, 4, 5, 6, 7, 8;

-- Place 0 of a broken step is the verdict's alone. The way over a thousand keeps the places of a notification apart.
UPDATE step_outcome
SET place = place + 1001
WHERE notification_id IN (
  SELECT o.notification_id
  FROM step_outcome AS o
  JOIN notification_row AS n ON n.id = o.notification_id
  WHERE o.place = 0 AND n.judgement <> 1
);

UPDATE step_outcome
SET place = place - 1000
WHERE place > 1000;
