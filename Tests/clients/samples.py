"""Creates sample.parquet (several row groups) and sample.csv in a folder. usage: samples.py DIR"""
import sys

import duckdb

duckdb.sql("CREATE TABLE samples AS SELECT i AS id, i % 7 AS kind, i * 0.5 AS value, md5(i::VARCHAR) AS digest "
           "FROM range(200000) numbers(i)")
duckdb.sql(f"COPY samples TO '{sys.argv[1]}/sample.parquet' (FORMAT parquet, ROW_GROUP_SIZE 20000)")
duckdb.sql(f"COPY samples TO '{sys.argv[1]}/sample.csv'")
