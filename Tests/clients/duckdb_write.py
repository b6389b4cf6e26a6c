"""Tries to write to a URL and prints DuckDB's error. usage: duckdb_write.py URL"""
import sys

import duckdb
import httpfs

db = httpfs.connect()
try:
    db.execute(f"COPY (SELECT 1 AS a) TO '{sys.argv[1]}' (FORMAT parquet)")
except duckdb.Error as error:
    print(error)
else:
    print("written")
