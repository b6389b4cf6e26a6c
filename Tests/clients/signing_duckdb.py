"""DuckDB's s3:// with a secret: writes, reads and globs.

usage: signing_duckdb.py HOST:PORT BUCKET; the credentials are in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY
"""
import os
import sys

import httpfs

address, bucket = sys.argv[1:]
db = httpfs.connect()
db.execute(
    f"CREATE SECRET (TYPE s3, KEY_ID '{os.environ['AWS_ACCESS_KEY_ID']}', "
    f"SECRET '{os.environ['AWS_SECRET_ACCESS_KEY']}', ENDPOINT '{address}', URL_STYLE 'path', USE_SSL false)"
)
for part in [1, 2]:
    db.execute(f"COPY (SELECT range AS a FROM range({part}00000)) TO 's3://{bucket}/duckdb/{part}.parquet'")
(count,) = db.execute(f"SELECT count(*) FROM 's3://{bucket}/duckdb/1.parquet'").fetchone()
assert count == 100000, count
(count, total) = db.execute(f"SELECT count(*), sum(a) FROM 's3://{bucket}/duckdb/*.parquet'").fetchone()
assert count == 300000 and total == 4999950000 + 19999900000, (count, total)
