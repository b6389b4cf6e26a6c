"""Queries a Parquet and a CSV file by URL, each URL several times. usage: duckdb_read.py PARQUET CSV

Prints the results as a JSON object.
"""
import json
import sys

import httpfs

parquet, csv = sys.argv[1:3]
db = httpfs.connect()
one = lambda query, url: list(map(float, db.execute(query, [url]).fetchone()))
print(json.dumps({
    "parquet aggregate": one("SELECT count(*), sum(value) FROM read_parquet(?)", parquet),
    "parquet projection": one("SELECT kind, id FROM read_parquet(?) WHERE id = 123456", parquet),
    "csv aggregate": one("SELECT count(*), sum(id) FROM read_csv(?) WHERE kind = 3", csv),
}))
