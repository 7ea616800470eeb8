"""Counts, in a pushtriage database, the classes that duckdb_same_work.py counts.

usage: python3 compare_classes.py push.db
"""

import sqlite3
import sys

c = sqlite3.connect(f"file:{sys.argv[1]}?mode=ro", uri=True)
for count, name in c.execute(
    """
SELECT count(*), CASE
  WHEN status <> 200 THEN 'refused ' || coalesce(reason, status)
  WHEN EXISTS (SELECT 1 FROM json_each(timeline, '$.e') AS e JOIN word AS w
    ON w.code = json_extract(e.value, '$[0]') WHERE w.text = 'nse.handler.called') THEN 'handler called'
  WHEN EXISTS (SELECT 1 FROM json_each(timeline, '$.e') AS e JOIN word AS w
    ON w.code = json_extract(e.value, '$[0]') WHERE w.text = 'nse.did_receive') THEN 'extension ran'
  WHEN events > 0 THEN 'other device record'
  ELSE 'no device record'
END AS class
FROM notification WHERE sends > 0 AND notification_id IS NOT NULL GROUP BY 2 ORDER BY 2
"""
):
    print(f"{count:9d}  {name}")
