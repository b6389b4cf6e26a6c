"""PyIceberg: creates, appends to and reads a table whose files are in the bucket, with its catalog in a local folder.

usage: signing_iceberg.py ENDPOINT BUCKET FOLDER; credentials as for the AWS SDKs
"""
import os
import sys

import pyarrow
from pyiceberg.catalog.sql import SqlCatalog

endpoint, bucket, folder = sys.argv[1:]
catalog = SqlCatalog(
    "local",
    **{
        "uri": f"sqlite:///{folder}/catalog.db",
        "warehouse": f"s3://{bucket}/warehouse",
        "s3.endpoint": endpoint,
        "s3.access-key-id": os.environ["AWS_ACCESS_KEY_ID"],
        "s3.secret-access-key": os.environ["AWS_SECRET_ACCESS_KEY"],
        "s3.region": "us-east-1",
    },
)
catalog.create_namespace("test")
rows = pyarrow.table({"id": list(range(1000)), "kind": [str(i % 7) for i in range(1000)]})
table = catalog.create_table("test.numbers", schema=rows.schema)
table.append(rows)
table.append(rows)
found = catalog.load_table("test.numbers").scan(row_filter="kind = '3'").to_arrow()
assert found.num_rows == 2 * len([i for i in range(1000) if i % 7 == 3]), found.num_rows
catalog.drop_table("test.numbers")
