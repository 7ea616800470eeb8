-- name: missing_evidence
-- purpose: Evidence that would decide the notifications of a day of which it cannot be told, most wanted first.
-- parameters:
--   day day UTC day of the send.
-- rows: many
-- columns:
--   needs json Evidence that is missing together, array of dotted names, cheapest first.
--   step text? Step behind which sight was lost; null where it is not known.
--   stage text Last stage that was seen, "none" if no record shows one.
--   notifications integer [notifications] Waiting for it.
-- rate: none
WITH
  evidence (bit, place, text) AS (
    VALUES
      (0, 0, 'send.response'), (39, 1, 'send.sent_at'), (38, 2, 'send.token_environment'),
      (43, 3, 'send.token_registered_at'), (40, 4, 'sends'), (41, 5, 'send.host'), (42, 6, 'send.request'),
      (1, 7, 'send.headers'), (2, 8, 'send.token'), (3, 9, 'send.token_kind'), (4, 10, 'send.environment'),
      (5, 11, 'send.payload'), (6, 12, 'send.credential'), (7, 13, 'send.jwt'), (8, 14, 'send.receipt'),
      (9, 15, 'send.expects'), (44, 16, 'device.online_since'), (10, 17, 'payload'), (45, 18, 'media.url'),
      (46, 19, 'media.file_name'), (47, 20, 'media.content_type'), (48, 21, 'media.type_hint'),
      (49, 22, 'media.http_status'), (50, 23, 'media.bytes'), (51, 24, 'media.tls'),
      (11, 25, 'app.entitlements'), (12, 26, 'app.info'), (13, 27, 'app.plugins'),
      (14, 28, 'app.distribution'), (15, 29, 'app.bundle_id'), (16, 30, 'app.registered_categories'),
      (17, 31, 'app.state'), (18, 32, 'app.delegate'), (52, 33, 'app.callbacks'), (53, 34, 'app.frameworks'),
      (19, 35, 'extensions.info'), (20, 36, 'extensions.min_os'), (21, 37, 'extensions.entitlements'),
      (22, 38, 'extensions.links'), (23, 39, 'extensions.code'), (24, 40, 'device.os'),
      (25, 41, 'device.settings'), (26, 42, 'device.network'), (27, 43, 'device.tokens'),
      (28, 44, 'device.locked'), (29, 45, 'events.extension'), (30, 46, 'events.app'),
      (31, 47, 'events.content_extension'), (32, 48, 'events.seq'), (33, 49, 'log'),
      (34, 50, 'log.crash_report'), (35, 51, 'media'), (36, 52, 'media.magic'), (37, 53, 'observed'),
      (54, 54, 'claims')
  ),
  undecided AS (
    SELECT
      n.needs AS needs,
      n.step AS step,
      n.stage AS stage,
      count(*) AS notifications
    FROM notification AS n
    WHERE n.id >= :day << 48 AND n.id < (:day + 1) << 48 AND n.judgement = 2
    GROUP BY n.needs, n.step, n.stage
  )
SELECT
  (
    SELECT json_group_array(w.text)
    FROM (SELECT e.text AS text FROM evidence AS e WHERE u.needs >> e.bit & 1 ORDER BY e.place) AS w
  ) AS needs,
  u.step AS step,
  CASE u.stage
    WHEN 0 THEN 'none'
    WHEN 1 THEN 'sent'
    WHEN 2 THEN 'accepted'
    WHEN 3 THEN 'received'
    WHEN 4 THEN 'extension-ran'
    WHEN 5 THEN 'modified'
    WHEN 6 THEN 'presented'
    WHEN 7 THEN 'expanded'
    WHEN 8 THEN 'acted'
    WHEN 9 THEN 'woken'
    ELSE 'handled'
  END AS stage,
  u.notifications AS notifications
FROM undecided AS u
ORDER BY u.notifications DESC, u.needs, u.step, u.stage
