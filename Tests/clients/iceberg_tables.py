"""PyIceberg without credentials for the storage: the service signs each of its requests.

usage: iceberg_tables.py SIGNER STORAGE BUCKET REGION FOLDER APPENDS [CA], with the key in PRESIGN_KEY and a reader's key in READER_KEY

SIGNER is the URL of the service, with the path to sign requests.
"""
import os
import sys

import pyarrow
from pyiceberg.catalog.sql import SqlCatalog
from pyiceberg.exceptions import SignError
from pyiceberg.expressions import EqualTo

signer, storage, bucket, region, folder, appends = sys.argv[1:7]
service, _, path = signer.partition("/iceberg/")
assert os.environ["PYICEBERG_MAX_WORKERS"] == "1"


def catalog(key):
    """The catalog with the key of a caller."""
    return SqlCatalog(
        "tables",
        **{
            "uri": f"sqlite:///{folder}/catalog.db",
            "warehouse": f"s3://{bucket}/wh",
            "py-io-impl": "pyiceberg.io.fsspec.FsspecFileIO",
            "s3.endpoint": storage,
            "s3.region": region,
            "s3.signer": "S3V4RestSigner",
            "s3.signer.uri": service,
            "s3.signer.endpoint": f"iceberg/{path}",
            "token": key,
        },
    )


def rows(number):
    """The rows of one append, in two partitions whose names need escapes."""
    return pyarrow.table({"id": [number, number + 1000], "kind": ["a b+c", "ü%=/"]})


def partitioned(tables):
    """Creates a table with the kind in the names of folders."""
    table = tables.create_table("test.numbers", schema=rows(0).schema)
    with table.update_spec() as update:
        update.add_identity("kind")
    return table


tables = catalog(os.environ["PRESIGN_KEY"])
tables.create_namespace("test")
table = partitioned(tables)
for number in range(int(appends)):
    table.append(rows(number))
found = tables.load_table("test.numbers").scan(row_filter=EqualTo("kind", "a b+c")).to_arrow()
assert found.num_rows == int(appends), found.num_rows
table.delete(EqualTo("id", 0))
assert table.scan().to_arrow().num_rows == 2 * int(appends) - 1
with table.update_schema() as update:
    update.add_column("note", pyarrow_type := __import__("pyiceberg.types", fromlist=["StringType"]).StringType())
table.overwrite(rows(7).append_column("note", pyarrow.array(["x", "y"])))
assert sorted(table.scan().to_arrow()["note"].to_pylist()) == ["x", "y"]

readers = catalog(os.environ["READER_KEY"])
read = readers.load_table("test.numbers")
assert read.scan().to_arrow().num_rows == 2
try:
    read.append(rows(8).append_column("note", pyarrow.array(["x", "y"])))
except SignError as error:
    assert "Failed to sign request 403" in str(error), error
    print("a reader cannot write")

tables.purge_table("test.numbers")
print("purged")
