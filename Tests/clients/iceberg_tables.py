"""PyIceberg without credentials for the storage: the service signs each of its requests.

usage: iceberg_tables.py SIGNER STORAGE BUCKET REGION WAREHOUSE FOLDER APPENDS

SIGNER is the URL to sign requests, WAREHOUSE a folder of the bucket, FOLDER one for the catalog. PRESIGN_KEY and
READER_KEY are the credentials of a caller who may do everything, and of one who may only read.
"""
import os
import subprocess
import sys

import pyarrow
from pyiceberg.catalog.sql import SqlCatalog
from pyiceberg.exceptions import SignError
from pyiceberg.expressions import EqualTo
from pyiceberg.types import StringType

signer, storage, bucket, region, warehouse, folder, appends = sys.argv[1:8]
service, _, path = signer.partition("/iceberg/")
assert os.environ["PYICEBERG_MAX_WORKERS"] == "1"


def catalog(key):
    """The catalog with the key of a caller."""
    return SqlCatalog(
        "tables",
        **{
            "uri": f"sqlite:///{folder}/catalog.db",
            "warehouse": f"s3://{bucket}/{warehouse}",
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


def read():
    """Reads the table, and tries to write to it."""
    table = catalog(os.environ["READER_KEY"]).load_table("test.numbers")
    assert table.scan().to_arrow().num_rows == 2
    try:
        table.append(rows(8).append_column("note", pyarrow.array(["x", "y"])))
    except SignError as error:
        assert "Failed to sign request 403" in str(error), error
        print("a reader cannot write", flush=True)


if sys.argv[8:] == ["read"]:
    read()
    sys.exit()
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
    update.add_column("note", StringType())
table.overwrite(rows(7).append_column("note", pyarrow.array(["x", "y"])))
assert sorted(table.scan().to_arrow()["note"].to_pylist()) == ["x", "y"]

# In a process of its own, because s3fs shares the signer of a process between catalogs.
subprocess.run([sys.executable, *sys.argv, "read"], check=True)
tables.purge_table("test.numbers")
print("purged")
