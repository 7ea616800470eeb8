-- Schema 2; schema 1 was never released. Times are whole UTC microseconds. Ids made from content (hashes) are the same whatever
-- the order of input: a notification's id is day << 48 | 20 bits of its installation | 28 bits of its
-- own key, where day counts from 1970-01-01; so the rows of a day lie together, and within a day those
-- of an installation.

CREATE TABLE setting (
  name TEXT NOT NULL PRIMARY KEY,  -- what is set
  value TEXT NOT NULL              -- its value
) STRICT, WITHOUT ROWID;

-- Words that timelines hold as numbers: names of events and of attributes.
CREATE TABLE word (
  code INTEGER NOT NULL PRIMARY KEY,  -- number in timelines
  text TEXT NOT NULL                  -- the word
) STRICT;

-- Longer texts that timelines hold by their 48-bit hash: log ids, lists of keys.
CREATE TABLE name (
  id INTEGER NOT NULL PRIMARY KEY,  -- hash of the text
  text TEXT NOT NULL                -- the text
) STRICT;

-- What recorded an event: process, release and phone.
CREATE TABLE origin (
  id INTEGER NOT NULL PRIMARY KEY,  -- hash of the five texts
  bundle TEXT NOT NULL,             -- bundle id of the process, app or extension; '' if not given
  version TEXT NOT NULL,            -- app version
  build TEXT NOT NULL,              -- build
  os TEXT NOT NULL,                 -- OS version
  model TEXT NOT NULL               -- device model
) STRICT;

-- An app of one version on one kind of phone, as notifications have it.
CREATE TABLE installed_app (
  id INTEGER NOT NULL PRIMARY KEY,  -- hash of the five texts
  app TEXT NOT NULL,                -- bundle id of the app; '' where it is not known, as in the next four
  app_version TEXT NOT NULL,        -- app version
  build TEXT NOT NULL,              -- build
  os_version TEXT NOT NULL,         -- OS version
  device_model TEXT NOT NULL,       -- device model
  notifications INTEGER NOT NULL    -- how many notifications have it
) STRICT;

-- What many sends share: status, reason, host, topic, push type, priority, shape, campaign, …
CREATE TABLE send_profile (
  id INTEGER NOT NULL PRIMARY KEY,  -- hash of the profile
  profile TEXT NOT NULL,            -- JSON object with the keys of the send log
  status INTEGER GENERATED ALWAYS AS (nullif(json_extract(profile, '$.status'), -2147483648)) STORED,
  reason TEXT GENERATED ALWAYS AS (json_extract(profile, '$.reason')) STORED,
  environment TEXT GENERATED ALWAYS AS (json_extract(profile, '$.environment')) STORED,
  topic TEXT GENERATED ALWAYS AS (json_extract(profile, '$.topic')) STORED
) STRICT;

-- Attributes that many events have in common. A value that differs is {"#":n}: the event holds it, as
-- the n-th, from 0, of the values behind the number of its set.
CREATE TABLE attribute_set (
  id INTEGER NOT NULL PRIMARY KEY,  -- 31-bit hash of the set; two sets never share one
  attrs TEXT NOT NULL               -- JSON object, names as numbers of word
) STRICT;

-- A payload without its private values: keys, types, lengths by powers of two, system values.
CREATE TABLE payload_shape (
  hash INTEGER NOT NULL PRIMARY KEY,  -- hash of the shape
  shape TEXT NOT NULL,                -- JSON
  facts TEXT NOT NULL                 -- JSON array: what rules need of it
) STRICT;

-- One file, archive member or stream that was read.
CREATE TABLE source (
  id INTEGER NOT NULL PRIMARY KEY,   -- number, in order of reading
  name TEXT NOT NULL,                -- path as given; members of an archive behind its path
  adapter TEXT NOT NULL,             -- format; '' if none was recognised
  state BLOB NOT NULL,               -- how far it was read, and hashes that recognise it
  first_at INTEGER,                  -- earliest record, microseconds; NULL if none
  last_at INTEGER,                   -- latest record
  lines_read INTEGER NOT NULL,       -- lines read; those and records beyond one a line = the next four
  kept INTEGER NOT NULL,             -- records kept
  duplicate INTEGER NOT NULL,        -- records that were here already
  noted INTEGER NOT NULL,            -- lines that could not be understood
  skipped INTEGER NOT NULL,          -- empty lines and comments
  chunks BLOB NOT NULL               -- pairs of 64-bit numbers: offset and line of each chunk
) STRICT;

-- A file as a whole, so that an archive that was read is not opened again.
CREATE TABLE source_file (
  name TEXT NOT NULL PRIMARY KEY,    -- path as given
  state BLOB NOT NULL                -- its fingerprint
) STRICT, WITHOUT ROWID;

-- Something that could not be read: a line, or a field of a line that was kept.
CREATE TABLE ingest_note (
  source_id INTEGER NOT NULL REFERENCES source (id),  -- where
  line INTEGER NOT NULL,             -- line, from 1; 0 for the source as a whole
  field TEXT NOT NULL,               -- field, dotted; 'line' for the line as a whole
  reason TEXT NOT NULL,              -- what is wrong
  is_line INTEGER NOT NULL CHECK (is_line IN (0, 1)),  -- 1: the line was not kept
  PRIMARY KEY (source_id, line, field, reason)
) STRICT, WITHOUT ROWID;

-- Facts of a built app, from an inspected bundle or a file of facts.
CREATE TABLE release_fact (
  bundle TEXT NOT NULL,   -- bundle id of the app
  version TEXT NOT NULL,  -- version
  build TEXT NOT NULL,    -- build; '' = any build of the version
  facts TEXT NOT NULL,    -- JSON, names as in case files
  origin TEXT NOT NULL,   -- file the facts came from
  PRIMARY KEY (bundle, version, build)
) STRICT, WITHOUT ROWID;

-- An app on a phone; or, where no record names one, a token.
CREATE TABLE installation (
  id INTEGER NOT NULL PRIMARY KEY,   -- hash of the device id, or of the token's digest
  device_id TEXT,                    -- as logged; NULL: known by its token only
  first_at INTEGER NOT NULL,         -- first record, its own clock
  last_at INTEGER NOT NULL,          -- last record
  has_events INTEGER NOT NULL CHECK (has_events IN (0, 1)),  -- whether it ever logged
  days TEXT NOT NULL                 -- JSON array: days of its own records (settings, registrations)
) STRICT;

-- When a token was registered by an installation. Tokens are stored as a keyed digest.
CREATE TABLE installation_token (
  token BLOB NOT NULL,               -- digest, 16 bytes
  installation_id INTEGER NOT NULL,  -- installation
  ends TEXT NOT NULL,                -- first and last four characters
  kind TEXT,                         -- kind of token, NULL if not said
  environment TEXT,                  -- environment reported with it
  first_at INTEGER NOT NULL,         -- first registration, device clock
  last_at INTEGER NOT NULL,          -- last registration
  source_id INTEGER NOT NULL,        -- where the first one stands
  line INTEGER NOT NULL,             -- its line
  PRIMARY KEY (token, installation_id)
) STRICT, WITHOUT ROWID;

-- A phone that is joined again asks for its own tokens.
CREATE INDEX installation_token_by_installation ON installation_token (installation_id);

-- Stretches of an installation's counter without a gap: what absence may be argued from.
CREATE TABLE coverage (
  installation_id INTEGER NOT NULL,  -- installation
  log TEXT NOT NULL,                 -- log id; '' where records name none
  first_seq INTEGER NOT NULL,        -- first counter value
  last_seq INTEGER NOT NULL,         -- last counter value
  first_at INTEGER NOT NULL,         -- device time of the first record
  last_at INTEGER NOT NULL,          -- device time of the last record
  processes INTEGER NOT NULL,        -- 1 app, 2 extension, 3 both
  first_source INTEGER NOT NULL,     -- where the first record stands
  first_line INTEGER NOT NULL,       -- its line
  last_source INTEGER NOT NULL,      -- where the last record stands
  last_line INTEGER NOT NULL,        -- its line
  PRIMARY KEY (installation_id, log, first_seq, first_at)
) STRICT, WITHOUT ROWID;

-- Records of the installation itself (heartbeats, settings, registrations, categories) and events
-- that no notification claims, one row a day.
CREATE TABLE installation_day (
  id INTEGER NOT NULL PRIMARY KEY,   -- day << 48 | installation bits
  installation_id INTEGER NOT NULL,  -- installation
  records INTEGER NOT NULL,          -- number of records
  unlinked INTEGER NOT NULL,         -- how many of them are events that no notification claims
  timeline TEXT NOT NULL             -- JSON, as in notification
) STRICT;

-- One id on one device. What repeats is kept by number, UUIDs as bytes; the view notification says
-- all of it in words, and is what to read.
CREATE TABLE notification_row (
  id INTEGER NOT NULL PRIMARY KEY,   -- day << 48 | installation bits | key bits
  installation_id INTEGER NOT NULL,  -- installation
  sent_at INTEGER NOT NULL,          -- first send; without one the first event, device clock
  kind INTEGER NOT NULL,             -- 0 alert 1 background 2 live activity 3 voip 4 request 5 response 6 hand-off
  meant INTEGER NOT NULL,            -- bits: 1 plain 2 modified 4 media 8 communication 16 actions 32 custom view 64 sound 128 silent 256 live activity 512 call
  meant_by INTEGER NOT NULL,         -- 0 stated 1 rule 2 payload 3 guess 4 default
  judgement INTEGER NOT NULL,        -- 0 as meant 1 broken 2 cannot tell 3 conflicting
  step TEXT,                         -- first broken step, or the one behind which sight was lost
  cause TEXT,                        -- cause at that step
  confidence INTEGER NOT NULL,       -- 0 possible 1 likely 2 certain
  stage INTEGER NOT NULL,            -- 0 none 1 sent 2 accepted 3 received 4 extension ran 5 modified 6 presented 7 expanded 8 acted 9 woken 10 handled
  seen INTEGER NOT NULL,             -- bits, stages seen beside the last: 1 extension ran 2 modified 4 presented 8 expanded
  needs INTEGER NOT NULL,            -- bits: evidence that would decide
  link INTEGER NOT NULL,             -- key that ties the two sides, see view link_word
  replaced INTEGER NOT NULL CHECK (replaced IN (0, 1)),  -- 1: a later send with its collapse id replaced it
  covered INTEGER NOT NULL CHECK (covered IN (0, 1)),    -- 1: a gapless run of the installation's counter lies around it
  sends INTEGER NOT NULL,            -- attempts
  events INTEGER NOT NULL,           -- device events
  profile_id INTEGER,                -- last send: send_profile; NULL without a send
  payload_shape INTEGER,             -- last send: payload_shape
  campaign_id INTEGER,               -- campaign: name
  app_id INTEGER NOT NULL,           -- app and phone: installed_app
  log_id INTEGER,                    -- log of the first event: name
  notification_id ANY,               -- the sender's own id. Ids: text; a UUID as its 16 bytes, with a 17th where its letters are small
  apns_id ANY,                       -- of the last answer that has one
  collapse_id ANY,                   -- collapse id
  request_id ANY,                    -- identifier of the request on the device, if not the collapse id
  token BLOB,                        -- last send's token: 16 bytes of digest, its first and last four characters
  download_us INTEGER,               -- duration of the download, device's monotonic clock
  handler_us INTEGER,                -- time from didReceive to the handler's first call
  raw_block INTEGER,                 -- block that keeps its lines, NULL if none
  timeline TEXT NOT NULL             -- JSON: origins, logs, sends, events
) STRICT;

-- Broken steps of each notification, in the order of the path.
CREATE TABLE step_outcome (
  notification_id INTEGER NOT NULL,  -- notification
  place INTEGER NOT NULL,            -- 0 = the verdict, then the later ones
  step TEXT NOT NULL,                -- step
  cause TEXT NOT NULL,               -- cause; '' = none named
  confidence INTEGER NOT NULL,       -- 0 possible 1 likely 2 certain
  sent_at INTEGER NOT NULL,          -- the notification's time
  PRIMARY KEY (notification_id, place)
) STRICT, WITHOUT ROWID;

-- Where ids are: sorted runs of (48-bit hash, notification), written by one batch each, in blocks.
CREATE TABLE identifier_block (
  run INTEGER NOT NULL,              -- run
  first_hash INTEGER NOT NULL,       -- smallest hash in the block
  entries BLOB NOT NULL,             -- 14 bytes each: 6 of the hash, 8 of the notification, big-endian
  PRIMARY KEY (run, first_hash)
) STRICT, WITHOUT ROWID;

-- Ids of notifications that only the device knows so far; a later send finds them here.
CREATE TABLE waiting_identifier (
  hash INTEGER NOT NULL,             -- 48-bit hash of the id
  notification_id INTEGER NOT NULL,  -- notification
  PRIMARY KEY (hash, notification_id)
) STRICT, WITHOUT ROWID;

-- Dictionaries of raw_block.
CREATE TABLE raw_dictionary (
  id INTEGER NOT NULL PRIMARY KEY,   -- number
  dictionary BLOB NOT NULL           -- for zstd
) STRICT;

-- Stored lines, private values already taken out, compressed.
CREATE TABLE raw_block (
  id INTEGER NOT NULL PRIMARY KEY,   -- number
  dictionary_id INTEGER,             -- dictionary, NULL if none
  size INTEGER NOT NULL,             -- bytes before compression
  lines BLOB NOT NULL                -- zstd of: source TAB line TAB text NEWLINE, …
) STRICT;

-- Counts that reports read. Dimension 'all' has the value ''.
CREATE TABLE day_rollup (
  day INTEGER NOT NULL,              -- days since 1970, UTC day of the send
  app TEXT NOT NULL,                 -- bundle id of the app, '' if not known
  dimension TEXT NOT NULL CHECK (dimension IN ('all', 'release', 'os', 'topic', 'campaign')),
  value TEXT NOT NULL,               -- value of the dimension; a release as version(build)
  class INTEGER NOT NULL,            -- 0 rich, 1 plain, 2 silent, 3 other (Live Activities, calls, requests of other types)
  judgement INTEGER NOT NULL,        -- as in notification
  step TEXT NOT NULL,                -- '' if none
  cause TEXT NOT NULL,               -- '' if none
  confidence INTEGER NOT NULL,       -- as in notification
  stage INTEGER NOT NULL,            -- stage + 16 × seen, both as in notification; -1 except for dimension 'all'
  notifications INTEGER NOT NULL,    -- count
  PRIMARY KEY (day, dimension, app, value, class, judgement, step, cause, confidence, stage)
) STRICT, WITHOUT ROWID;

-- Counts by release and phone together: whether two releases went to the same kinds of phones.
CREATE TABLE day_phone (
  day INTEGER NOT NULL,              -- day of the send
  app TEXT NOT NULL,                 -- bundle id of the app, '' if not known
  release TEXT NOT NULL,             -- version(build)
  os TEXT NOT NULL,                  -- OS version, '' if not known
  model TEXT NOT NULL,               -- device model, '' if not known
  class INTEGER NOT NULL,            -- as in day_rollup
  judgement INTEGER NOT NULL,        -- as in notification
  step TEXT NOT NULL,                -- '' if none
  cause TEXT NOT NULL,               -- '' if none
  confidence INTEGER NOT NULL,       -- as in notification
  notifications INTEGER NOT NULL,    -- count
  PRIMARY KEY (day, app, release, os, model, class, judgement, step, cause, confidence)
) STRICT, WITHOUT ROWID;

-- Answers and links per day.
CREATE TABLE day_answer (
  day INTEGER NOT NULL,              -- day of the send
  app TEXT NOT NULL,                 -- bundle id of the app, '' if not known
  status INTEGER NOT NULL,           -- last answer's status; -1 without a send
  reason TEXT NOT NULL,              -- last answer's reason, '' if none
  link INTEGER NOT NULL,             -- 0 exact, 1 guess, 2 no device record, 3 no send
  notifications INTEGER NOT NULL,    -- count
  PRIMARY KEY (day, app, status, reason, link)
) STRICT, WITHOUT ROWID;

-- Histograms of durations; buckets as in PushModel.Histogram.
CREATE TABLE day_timing (
  day INTEGER NOT NULL,              -- day of the send
  app TEXT NOT NULL,                 -- bundle id of the app
  value TEXT NOT NULL,               -- release as version(build)
  measure TEXT NOT NULL CHECK (measure IN ('download', 'handler')),
  bucket INTEGER NOT NULL,           -- bucket
  notifications INTEGER NOT NULL,    -- count
  PRIMARY KEY (day, app, value, measure, bucket)
) STRICT, WITHOUT ROWID;

-- Per day: installations with a notification.
CREATE TABLE day_installation (
  day INTEGER NOT NULL PRIMARY KEY,  -- day
  seen INTEGER NOT NULL,             -- installations with a notification
  logging INTEGER NOT NULL,          -- of these, those with a device event of one of them
  gapless INTEGER NOT NULL           -- of these, those with a gapless counter around each of them
) STRICT;

-- Judgements of earlier days that a later run changed.
CREATE TABLE late_change (
  run INTEGER NOT NULL,              -- run of ingest
  day INTEGER NOT NULL,              -- day of the send
  from_judgement INTEGER NOT NULL,   -- before
  to_judgement INTEGER NOT NULL,     -- after
  notifications INTEGER NOT NULL,    -- count
  PRIMARY KEY (run, day, from_judgement, to_judgement)
) STRICT, WITHOUT ROWID;

-- One call of ingest.
CREATE TABLE ingest_run (
  id INTEGER NOT NULL PRIMARY KEY,   -- number
  newest_day INTEGER NOT NULL        -- newest day of sends that was known when it ended
) STRICT;

CREATE VIEW link_word AS
SELECT column1 AS code, column2 AS text
FROM (VALUES (0, 'notification_id'), (1, 'apns_id'), (2, 'collapse_id'), (3, 'digest'), (4, 'run'),
  (5, 'retry'), (6, 'collapse_guess'), (7, 'time_guess'), (8, 'own'));

-- One id on one device, in words.
CREATE VIEW notification AS
SELECT
  n.id AS id,
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
  n.seen AS seen,
  n.needs AS needs,
  n.link AS link,
  n.replaced AS replaced,
  n.covered AS covered,
  n.sends AS sends,
  n.events AS events,
  p.status AS status,
  p.reason AS reason,
  p.environment AS environment,
  p.topic AS topic,
  c.text AS campaign,
  nullif(a.app, '') AS app,
  nullif(a.app_version, '') AS app_version,
  nullif(a.build, '') AS build,
  nullif(a.os_version, '') AS os_version,
  nullif(a.device_model, '') AS device_model,
  CASE typeof(n.notification_id)
    WHEN 'blob' THEN iif(
      length(n.notification_id) = 16,
      substr(hex(n.notification_id), 1, 8)
        || '-' || substr(hex(n.notification_id), 9, 4)
        || '-' || substr(hex(n.notification_id), 13, 4)
        || '-' || substr(hex(n.notification_id), 17, 4)
        || '-' || substr(hex(n.notification_id), 21, 12),
      lower(
        substr(hex(n.notification_id), 1, 8)
        || '-' || substr(hex(n.notification_id), 9, 4)
        || '-' || substr(hex(n.notification_id), 13, 4)
        || '-' || substr(hex(n.notification_id), 17, 4)
        || '-' || substr(hex(n.notification_id), 21, 12)))
    ELSE n.notification_id
  END AS notification_id,
  CASE typeof(n.apns_id)
    WHEN 'blob' THEN iif(
      length(n.apns_id) = 16,
      substr(hex(n.apns_id), 1, 8)
        || '-' || substr(hex(n.apns_id), 9, 4)
        || '-' || substr(hex(n.apns_id), 13, 4)
        || '-' || substr(hex(n.apns_id), 17, 4)
        || '-' || substr(hex(n.apns_id), 21, 12),
      lower(
        substr(hex(n.apns_id), 1, 8)
        || '-' || substr(hex(n.apns_id), 9, 4)
        || '-' || substr(hex(n.apns_id), 13, 4)
        || '-' || substr(hex(n.apns_id), 17, 4)
        || '-' || substr(hex(n.apns_id), 21, 12)))
    ELSE n.apns_id
  END AS apns_id,
  CASE typeof(n.collapse_id)
    WHEN 'blob' THEN iif(
      length(n.collapse_id) = 16,
      substr(hex(n.collapse_id), 1, 8)
        || '-' || substr(hex(n.collapse_id), 9, 4)
        || '-' || substr(hex(n.collapse_id), 13, 4)
        || '-' || substr(hex(n.collapse_id), 17, 4)
        || '-' || substr(hex(n.collapse_id), 21, 12),
      lower(
        substr(hex(n.collapse_id), 1, 8)
        || '-' || substr(hex(n.collapse_id), 9, 4)
        || '-' || substr(hex(n.collapse_id), 13, 4)
        || '-' || substr(hex(n.collapse_id), 17, 4)
        || '-' || substr(hex(n.collapse_id), 21, 12)))
    ELSE n.collapse_id
  END AS collapse_id,
  CASE typeof(n.request_id)
    WHEN 'blob' THEN iif(
      length(n.request_id) = 16,
      substr(hex(n.request_id), 1, 8)
        || '-' || substr(hex(n.request_id), 9, 4)
        || '-' || substr(hex(n.request_id), 13, 4)
        || '-' || substr(hex(n.request_id), 17, 4)
        || '-' || substr(hex(n.request_id), 21, 12),
      lower(
        substr(hex(n.request_id), 1, 8)
        || '-' || substr(hex(n.request_id), 9, 4)
        || '-' || substr(hex(n.request_id), 13, 4)
        || '-' || substr(hex(n.request_id), 17, 4)
        || '-' || substr(hex(n.request_id), 21, 12)))
    ELSE n.request_id
  END AS request_id,
  substr(n.token, 1, 16) AS token,
  replace(
    CAST(substr(n.token, 17, 4) AS TEXT) || '…' || CAST(substr(n.token, 21, 4) AS TEXT),
    char(0), '') AS token_ends,
  n.download_us AS download_us,
  n.handler_us AS handler_us,
  n.raw_block AS raw_block,
  n.payload_shape AS payload_shape,
  n.timeline AS timeline
FROM notification_row AS n
LEFT JOIN send_profile AS p ON p.id = n.profile_id
LEFT JOIN name AS c ON c.id = n.campaign_id
LEFT JOIN installed_app AS a ON a.id = n.app_id;

-- Sends, one row each, readable in any SQLite tool. How timelines are written: PushStore, Timeline.
CREATE VIEW send AS
SELECT
  n.id AS notification,
  s.key AS place,
  n.sent_at + json_extract(s.value, '$[0]') AS sent_at,
  json_extract(s.value, '$[1]') AS source_id,
  json_extract(s.value, '$[2]') AS line,
  p.profile AS profile,
  coalesce(nullif(json_extract(s.value, '$[4]'), 0), n.payload_shape, 0) AS payload_shape,
  json_extract(s.value, '$[6]') AS details
FROM notification_row AS n
JOIN json_each(n.timeline, '$.s') AS s
LEFT JOIN send_profile AS p
  ON p.id = coalesce(nullif(json_extract(s.value, '$[3]'), 0), n.profile_id);

-- Device events, one row each. Times, lines and counters are stored as differences.
CREATE VIEW device_event AS
SELECT
  n.id AS notification,
  e.key AS place,
  coalesce(w.text, json_extract(e.value, '$[0]')) AS event,
  n.sent_at
    + coalesce(json_extract(n.timeline, '$.u'), 1)
    * sum(json_extract(e.value, '$[1]')) OVER earlier AS recorded_at,
  coalesce(
    (
      SELECT json_extract(f.value, '$[5].f')
      FROM json_each(n.timeline, '$.e') AS f
      WHERE f.key <= e.key AND json_extract(f.value, '$[5].f') IS NOT NULL
      ORDER BY f.key DESC
      LIMIT 1
    ),
    json_extract(n.timeline, '$.f')) AS source_id,
  sum(json_extract(e.value, '$[2]')) OVER earlier AS line,
  CASE WHEN json_extract(e.value, '$[3]') IS NOT NULL
    THEN sum(json_extract(e.value, '$[3]')) OVER earlier
  END AS seq,
  (
    SELECT json_group_object(
      coalesce(k.text, a.key),
      CASE coalesce(h.type, a.type)
        WHEN 'array' THEN iif(
          json_extract(coalesce(h.value, a.value), '$[0]') = '#',
          json((
            SELECT text FROM name
            WHERE id = json_extract(coalesce(h.value, a.value), '$[1]'))),
          json(coalesce(h.value, a.value)))
        WHEN 'object' THEN json(coalesce(h.value, a.value))
        WHEN 'true' THEN json('true')
        WHEN 'false' THEN json('false')
        WHEN 'null' THEN NULL
        ELSE coalesce(h.value, a.value)
      END)
    FROM json_each(
      coalesce(
        (
          SELECT t.attrs FROM attribute_set AS t
          WHERE t.id = iif(
            json_type(e.value, '$[4]') = 'array', json_extract(e.value, '$[4][0]'),
            json_extract(e.value, '$[4]'))),
        json_extract(e.value, '$[4]'))) AS a
    LEFT JOIN json_each(iif(json_type(e.value, '$[4]') = 'array', e.value, '[]'), '$[4]') AS h
      ON h.key = iif(a.type = 'object', 1 + json_extract(a.value, '$."#"'), NULL)
    LEFT JOIN word AS k ON k.code = CAST(a.key AS INTEGER)
  ) AS attrs
FROM notification_row AS n
JOIN json_each(n.timeline, '$.e') AS e
LEFT JOIN word AS w ON w.code = json_extract(e.value, '$[0]')
WINDOW earlier AS (PARTITION BY n.id ORDER BY e.key);

-- Records of installations themselves, one row each.
CREATE VIEW installation_event AS
SELECT
  n.id AS installation_day,
  n.installation_id AS installation_id,
  e.key AS place,
  coalesce(w.text, json_extract(e.value, '$[0]')) AS event,
  (n.id >> 48) * 86400000000
    + coalesce(json_extract(n.timeline, '$.u'), 1)
    * sum(json_extract(e.value, '$[1]')) OVER earlier AS recorded_at,
  coalesce(
    (
      SELECT json_extract(f.value, '$[5].f')
      FROM json_each(n.timeline, '$.e') AS f
      WHERE f.key <= e.key AND json_extract(f.value, '$[5].f') IS NOT NULL
      ORDER BY f.key DESC
      LIMIT 1
    ),
    json_extract(n.timeline, '$.f')) AS source_id,
  sum(json_extract(e.value, '$[2]')) OVER earlier AS line,
  CASE WHEN json_extract(e.value, '$[3]') IS NOT NULL
    THEN sum(json_extract(e.value, '$[3]')) OVER earlier
  END AS seq,
  (
    SELECT json_group_object(
      coalesce(k.text, a.key),
      CASE coalesce(h.type, a.type)
        WHEN 'array' THEN iif(
          json_extract(coalesce(h.value, a.value), '$[0]') = '#',
          json((
            SELECT text FROM name
            WHERE id = json_extract(coalesce(h.value, a.value), '$[1]'))),
          json(coalesce(h.value, a.value)))
        WHEN 'object' THEN json(coalesce(h.value, a.value))
        WHEN 'true' THEN json('true')
        WHEN 'false' THEN json('false')
        WHEN 'null' THEN NULL
        ELSE coalesce(h.value, a.value)
      END)
    FROM json_each(
      coalesce(
        (
          SELECT t.attrs FROM attribute_set AS t
          WHERE t.id = iif(
            json_type(e.value, '$[4]') = 'array', json_extract(e.value, '$[4][0]'),
            json_extract(e.value, '$[4]'))),
        json_extract(e.value, '$[4]'))) AS a
    LEFT JOIN json_each(iif(json_type(e.value, '$[4]') = 'array', e.value, '[]'), '$[4]') AS h
      ON h.key = iif(a.type = 'object', 1 + json_extract(a.value, '$."#"'), NULL)
    LEFT JOIN word AS k ON k.code = CAST(a.key AS INTEGER)
  ) AS attrs
FROM installation_day AS n
JOIN json_each(n.timeline, '$.e') AS e
LEFT JOIN word AS w ON w.code = json_extract(e.value, '$[0]')
WINDOW earlier AS (PARTITION BY n.id ORDER BY e.key);
