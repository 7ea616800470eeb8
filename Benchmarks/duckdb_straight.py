"""The counts of a daily report in DuckDB straight from the log files: nothing is stored, no event is kept.

usage: python3 duckdb_straight.py provider.ndjson device.ndjson
Needs: pip install duckdb. The classes are those of duckdb_same_work.py; what it lacks beside them is what costs: each
notification's events and payload, records read twice, and a database to ask later.
"""

import sys
import time

import duckdb

provider, device = sys.argv[1:3]
start = time.time()
c = duckdb.connect()
c.execute("SET threads = 2")
rows = c.execute(
    """
WITH send AS (
  SELECT * FROM read_json(?, format = 'newline_delimited', columns = {
    'ts': 'VARCHAR', 'status': 'INTEGER', 'reason': 'VARCHAR', 'notification_id': 'VARCHAR', 'device_token': 'VARCHAR',
    'installation_id': 'VARCHAR', 'topic': 'VARCHAR'})
), event AS MATERIALIZED (
  SELECT device_id, event, notification_id, app_version,
    CASE WHEN event IN ('app.registered', 'device.heartbeat') THEN attrs->>'device_token' END AS device_token
  FROM read_json(?, format = 'newline_delimited', columns = {
    'event': 'VARCHAR', 'device_id': 'VARCHAR', 'notification_id': 'VARCHAR', 'app_version': 'VARCHAR',
    'attrs': 'JSON'})
), token AS (
  SELECT device_token, any_value(device_id) AS device_id FROM event WHERE device_token IS NOT NULL GROUP BY 1
), s AS (
  SELECT s.notification_id, coalesce(s.installation_id, t.device_id, s.device_token) AS device,
    arg_max(s.status, s.ts) AS status, arg_max(s.reason, s.ts) AS reason, max(s.ts) AS ts, any_value(s.topic) AS topic
  FROM send AS s LEFT JOIN token AS t USING (device_token)
  WHERE s.notification_id IS NOT NULL GROUP BY 1, 2
), e AS (
  SELECT notification_id, device_id AS device, any_value(app_version) AS app_version,
    bool_or(event = 'nse.did_receive') AS ran, bool_or(event = 'nse.handler.called') AS handled
  FROM event WHERE notification_id IS NOT NULL GROUP BY 1, 2
), n AS (
  SELECT left(s.ts, 10) AS day, s.topic, e.app_version,
    CASE
      WHEN s.status <> 200 THEN 'refused ' || coalesce(s.reason, s.status::VARCHAR)
      WHEN e.handled THEN 'handler called'
      WHEN e.ran THEN 'extension ran'
      WHEN e.device IS NOT NULL THEN 'other device record'
      ELSE 'no device record'
    END AS class
  FROM s LEFT JOIN e ON e.notification_id = s.notification_id AND e.device = s.device
)
SELECT day, app_version, topic, class, count(*) FROM n
GROUP BY GROUPING SETS ((class), (day, class), (app_version, class), (topic, class))
""",
    [provider, device],
).fetchall()
total = {}
for day, version, topic, name, count in rows:
    if day is None and version is None and topic is None:
        total[name] = max(total.get(name, 0), count)
for name in sorted(total):
    print(f"{total[name]:9d}  {name}")
print(f"straight from the files {time.time() - start:.1f} s")
