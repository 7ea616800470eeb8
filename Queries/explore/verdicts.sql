-- name: verdicts
-- purpose: The verdict of every notification, one row each, in order of day and installation; a stable interface
--   for other programs.
-- parameters: none
-- rows: many
-- columns:
--   notification_id text? The sender's own id; null where none is known.
--   apns_id text? The apns-id of the last answer that has one; null where none is known.
--   collapse_id text? Collapse id; null where none is known.
--   request_id text? Identifier of the request on the device; null where no device record shows one.
--   device_id text? Installation id as logged; null where only a token is known.
--   sent_at time? First send; null where no send is known.
--   app_version text? App version; null where it is not known.
--   build text? Build; null where it is not known.
--   expects json What it was meant to be, array of words.
--   step text? First broken step; null unless the verdict is "broken".
--   cause text? Cause at that step; null unless the verdict is "broken".
--   confidence text? How sure the cause is: possible, likely, certain; null unless the verdict is "broken".
--   undetermined boolean Whether the verdict is "cannot tell" or "conflicting evidence".
--   needs json Evidence that is missing and would decide, array of dotted names, cheapest first.
--   stage text Last stage that was seen, "none" if no record shows one.
-- rate: none
SELECT
  n.notification_id AS notification_id,
  n.apns_id AS apns_id,
  n.collapse_id AS collapse_id,
  coalesce(n.request_id, iif(n.events > 0, n.collapse_id, NULL)) AS request_id,
  i.device_id AS device_id,
  iif(n.sends > 0, n.sent_at, NULL) AS sent_at,
  n.app_version AS app_version,
  n.build AS build,
  CASE n.meant
    WHEN 1 THEN '["plain"]'
    WHEN 2 THEN '["modified"]'
    WHEN 4 THEN '["media"]'
    WHEN 6 THEN '["modified","media"]'
    WHEN 128 THEN '["silent"]'
    ELSE '[' || rtrim(
      iif(n.meant & 1, '"plain",', '')
      || iif(n.meant & 2, '"modified",', '')
      || iif(n.meant & 4, '"media",', '')
      || iif(n.meant & 8, '"communication",', '')
      || iif(n.meant & 16, '"actions",', '')
      || iif(n.meant & 32, '"custom-view",', '')
      || iif(n.meant & 64, '"sound",', '')
      || iif(n.meant & 128, '"silent",', '')
      || iif(n.meant & 256, '"live-activity",', '')
      || iif(n.meant & 512, '"call",', ''),
      ',') || ']'
  END AS expects,
  iif(n.judgement = 1, n.step, NULL) AS step,
  iif(n.judgement = 1, n.cause, NULL) AS cause,
  iif(
    n.judgement = 1, CASE n.confidence WHEN 0 THEN 'possible' WHEN 1 THEN 'likely' ELSE 'certain' END,
    NULL) AS confidence,
  n.judgement IN (2, 3) AS undetermined,
  CASE n.needs
    WHEN 0 THEN '[]'
    ELSE '[' || rtrim(
      iif(n.needs & 0xfc000000001,
        iif(n.needs & 0x1, '"send.response",', '')
        || iif(n.needs & 0x8000000000, '"send.sent_at",', '')
        || iif(n.needs & 0x4000000000, '"send.token_environment",', '')
        || iif(n.needs & 0x80000000000, '"send.token_registered_at",', '')
        || iif(n.needs & 0x10000000000, '"sends",', '')
        || iif(n.needs & 0x20000000000, '"send.host",', '')
        || iif(n.needs & 0x40000000000, '"send.request",', ''), '')
      || iif(n.needs & 0xfe,
        iif(n.needs & 0x2, '"send.headers",', '')
        || iif(n.needs & 0x4, '"send.token",', '')
        || iif(n.needs & 0x8, '"send.token_kind",', '')
        || iif(n.needs & 0x10, '"send.environment",', '')
        || iif(n.needs & 0x20, '"send.payload",', '')
        || iif(n.needs & 0x40, '"send.credential",', '')
        || iif(n.needs & 0x80, '"send.jwt",', ''), '')
      || iif(n.needs & 0xf00000000700,
        iif(n.needs & 0x100, '"send.receipt",', '')
        || iif(n.needs & 0x200, '"send.expects",', '')
        || iif(n.needs & 0x100000000000, '"device.online_since",', '')
        || iif(n.needs & 0x400, '"payload",', '')
        || iif(n.needs & 0x200000000000, '"media.url",', '')
        || iif(n.needs & 0x400000000000, '"media.file_name",', '')
        || iif(n.needs & 0x800000000000, '"media.content_type",', ''), '')
      || iif(n.needs & 0xf000000003800,
        iif(n.needs & 0x1000000000000, '"media.type_hint",', '')
        || iif(n.needs & 0x2000000000000, '"media.http_status",', '')
        || iif(n.needs & 0x4000000000000, '"media.bytes",', '')
        || iif(n.needs & 0x8000000000000, '"media.tls",', '')
        || iif(n.needs & 0x800, '"app.entitlements",', '')
        || iif(n.needs & 0x1000, '"app.info",', '')
        || iif(n.needs & 0x2000, '"app.plugins",', ''), '')
      || iif(n.needs & 0x3000000007c000,
        iif(n.needs & 0x4000, '"app.distribution",', '')
        || iif(n.needs & 0x8000, '"app.bundle_id",', '')
        || iif(n.needs & 0x10000, '"app.registered_categories",', '')
        || iif(n.needs & 0x20000, '"app.state",', '')
        || iif(n.needs & 0x40000, '"app.delegate",', '')
        || iif(n.needs & 0x10000000000000, '"app.callbacks",', '')
        || iif(n.needs & 0x20000000000000, '"app.frameworks",', ''), '')
      || iif(n.needs & 0x3f80000,
        iif(n.needs & 0x80000, '"extensions.info",', '')
        || iif(n.needs & 0x100000, '"extensions.min_os",', '')
        || iif(n.needs & 0x200000, '"extensions.entitlements",', '')
        || iif(n.needs & 0x400000, '"extensions.links",', '')
        || iif(n.needs & 0x800000, '"extensions.code",', '')
        || iif(n.needs & 0x1000000, '"device.os",', '')
        || iif(n.needs & 0x2000000, '"device.settings",', ''), '')
      || iif(n.needs & 0x1fc000000,
        iif(n.needs & 0x4000000, '"device.network",', '')
        || iif(n.needs & 0x8000000, '"device.tokens",', '')
        || iif(n.needs & 0x10000000, '"device.locked",', '')
        || iif(n.needs & 0x20000000, '"events.extension",', '')
        || iif(n.needs & 0x40000000, '"events.app",', '')
        || iif(n.needs & 0x80000000, '"events.content_extension",', '')
        || iif(n.needs & 0x100000000, '"events.seq",', ''), '')
      || iif(n.needs & 0x40003e00000000,
        iif(n.needs & 0x200000000, '"log",', '')
        || iif(n.needs & 0x400000000, '"log.crash_report",', '')
        || iif(n.needs & 0x800000000, '"media",', '')
        || iif(n.needs & 0x1000000000, '"media.magic",', '')
        || iif(n.needs & 0x2000000000, '"observed",', '')
        || iif(n.needs & 0x40000000000000, '"claims",', ''), ''),
      ',') || ']'
  END AS needs,
  CASE n.stage
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
  END AS stage
FROM notification AS n
LEFT JOIN installation AS i ON i.id = n.installation_id
ORDER BY n.id
