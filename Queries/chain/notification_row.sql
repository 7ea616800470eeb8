-- name: notification_row
-- purpose: Everything that is stored of one notification.
-- parameters:
--   row integer Row number.
-- rows: optional
-- columns:
--   installation_id integer Installation.
--   sent_at time First send; without one the first event, device clock.
--   kind integer As in the table notification.
--   meant integer As in the table notification.
--   meant_by integer As in the table notification.
--   judgement integer As in the table notification.
--   step text? Step; null if none is named.
--   cause text? Cause; null if none is named.
--   confidence integer As in the table notification.
--   stage integer As in the table notification.
--   needs integer As in the table notification.
--   link integer As in the table notification.
--   replaced boolean Whether a newer send with its collapse id replaced it.
--   covered boolean Whether a gapless run of the installation's counter lies around it.
--   sends integer [sends] Attempts.
--   events integer [records] Device events.
--   topic text? Topic of the last send; null where it is not known.
--   campaign text? Campaign; null for notifications without one.
--   app text? Bundle id of the app; null where it is not known.
--   app_version text? App version; null where it is not known.
--   build text? Build; null where it is not known.
--   os_version text? OS version; null where it is not known.
--   device_model text? Device model; null where it is not known.
--   notification_id text? The sender's own id; null where it is not known.
--   apns_id text? The apns-id of the last answer that has one; null where none is known.
--   collapse_id text? Collapse id; null where none is known.
--   request_id text? Identifier of the request on the device, if it is not the collapse id; null where none is known.
--   token blob? Digest of the last send's token; null where none is known.
--   token_ends text? Its first and last four characters; null where none is known.
--   raw_block integer? Block that keeps its lines; null if none does.
--   timeline json Its sends and device events.
--   device_id text? Installation id as logged; null where only a token is known.
--   has_events boolean? Whether the installation ever logged; null where it is not known.
-- rate: none
SELECT
  n.installation_id AS installation_id,
  n.sent_at AS sent_at,
  n.kind AS kind,
  n.meant AS meant,
  n.meant_by AS meant_by,
  n.judgement AS judgement,
  n.step AS step,
  n.cause AS cause,
  n.confidence AS confidence,
  n.stage AS stage,
  n.needs AS needs,
  n.link AS link,
  n.replaced AS replaced,
  n.covered AS covered,
  n.sends AS sends,
  n.events AS events,
  n.topic AS topic,
  n.campaign AS campaign,
  n.app AS app,
  n.app_version AS app_version,
  n.build AS build,
  n.os_version AS os_version,
  n.device_model AS device_model,
  n.notification_id AS notification_id,
  n.apns_id AS apns_id,
  n.collapse_id AS collapse_id,
  n.request_id AS request_id,
  n.token AS token,
  n.token_ends AS token_ends,
  n.raw_block AS raw_block,
  n.timeline AS timeline,
  i.device_id AS device_id,
  i.has_events AS has_events
FROM notification AS n
LEFT JOIN installation AS i ON i.id = n.installation_id
WHERE n.id = :row
