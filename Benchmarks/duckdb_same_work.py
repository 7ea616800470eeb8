"""The same work in DuckDB, on the same files: load both logs, join them per notification, classify by the last answer
and by what the device shows, store it all, and make the tables of a daily report.

usage: python3 duckdb_same_work.py provider.ndjson device.ndjson out.duckdb
Needs: pip install duckdb. Prints seconds and, per class, the count of notifications.

The classes are those that SQL over the two logs can decide without the checklist: refused with its reason, or the
furthest stage of which a record exists. `compare_classes.py` counts the same classes in a pushtriage database.
"""

import os
import sys
import time

import duckdb

provider, device, out = sys.argv[1:4]
if os.path.exists(out):
    os.remove(out)
start = time.time()
c = duckdb.connect(out)
c.execute("SET threads = 2")
c.execute(
    """
CREATE TABLE send AS
SELECT coalesce(notification_id, apns_id) AS key, notification_id, lower(apns_id) AS apns_id, collapse_id, device_token,
  installation_id, try_cast(ts AS TIMESTAMPTZ) AS at, ts, status, reason, topic, push_type, campaign_id, payload
FROM read_json(?, format = 'newline_delimited', columns = {
  'ts': 'VARCHAR', 'status': 'INTEGER', 'reason': 'VARCHAR', 'apns_id': 'VARCHAR', 'notification_id': 'VARCHAR',
  'collapse_id': 'VARCHAR', 'device_token': 'VARCHAR', 'installation_id': 'VARCHAR', 'topic': 'VARCHAR',
  'push_type': 'VARCHAR', 'campaign_id': 'VARCHAR', 'payload': 'JSON'})
""",
    [provider],
)
c.execute(
    """
CREATE TABLE event AS
SELECT DISTINCT notification_id, lower(apns_id) AS apns_id, request_id, device_id, event, seq, ts, app_version, build,
  os_version, attrs
FROM read_json(?, format = 'newline_delimited', columns = {
  'ts': 'VARCHAR', 'event': 'VARCHAR', 'seq': 'BIGINT', 'log_id': 'VARCHAR', 'device_id': 'VARCHAR',
  'bundle_id': 'VARCHAR', 'app_version': 'VARCHAR', 'build': 'VARCHAR', 'os_version': 'VARCHAR',
  'device_model': 'VARCHAR', 'apns_id': 'VARCHAR', 'request_id': 'VARCHAR', 'notification_id': 'VARCHAR',
  'attrs': 'JSON'})
""",
    [device],
)
c.execute(
    """
CREATE TABLE token AS
SELECT attrs->>'device_token' AS device_token, any_value(device_id) AS device_id
FROM event WHERE event IN ('app.registered', 'device.heartbeat') AND attrs->>'device_token' IS NOT NULL GROUP BY 1
"""
)
c.execute(
    """
CREATE TABLE notification AS
WITH s AS (
  SELECT s.notification_id, coalesce(s.installation_id, t.device_id, s.device_token) AS device,
    arg_max(s.status, s.ts) AS status, arg_max(s.reason, s.ts) AS reason, max(s.ts) AS ts, any_value(s.topic) AS topic,
    any_value(s.campaign_id) AS campaign, any_value(s.payload) AS payload
  FROM send AS s LEFT JOIN token AS t USING (device_token)
  WHERE s.notification_id IS NOT NULL GROUP BY 1, 2
), e AS (
  SELECT notification_id, device_id AS device, list({'event': event, 'seq': seq, 'ts': ts, 'attrs': attrs}) AS events,
    any_value(app_version) AS app_version, any_value(os_version) AS os_version,
    bool_or(event = 'nse.did_receive') AS ran, bool_or(event = 'nse.handler.called') AS handled,
    bool_or(event = 'app.presented') AS presented
  FROM event WHERE notification_id IS NOT NULL GROUP BY 1, 2
)
SELECT s.*, e.events, e.app_version, e.os_version,
  CASE
    WHEN s.status <> 200 THEN 'refused ' || coalesce(s.reason, s.status::VARCHAR)
    WHEN e.handled THEN 'handler called'
    WHEN e.ran THEN 'extension ran'
    WHEN e.device IS NOT NULL THEN 'other device record'
    ELSE 'no device record'
  END AS class
FROM s LEFT JOIN e ON e.notification_id = s.notification_id AND e.device = s.device
"""
)
loaded = time.time()
rows = c.execute("SELECT class, count(*) FROM notification GROUP BY 1 ORDER BY 1").fetchall()
c.execute("SELECT left(ts, 10), class, count(*) FROM notification GROUP BY ALL").fetchall()
c.execute("SELECT app_version, class, count(*) FROM notification GROUP BY ALL").fetchall()
c.execute("SELECT os_version, class, count(*) FROM notification GROUP BY ALL").fetchall()
c.execute("SELECT topic, campaign, class, count(*) FROM notification GROUP BY ALL").fetchall()
reported = time.time()
for row in rows:
    print(f"{row[1]:9d}  {row[0]}")
c.close()
print(f"load, join, classify and store {loaded - start:.1f} s, report tables {reported - loaded:.2f} s")
