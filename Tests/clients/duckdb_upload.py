"""DuckDB writes to presign://PATH. usage: PRESIGN=http://HOST:PORT PRESIGN_KEY=psk_... duckdb_upload.py PATH QUERY"""
import os
import sys
import tempfile

import duckdb
import requests
from fsspec import AbstractFileSystem


def presign(path, method="GET"):
    response = requests.post(
        os.environ["PRESIGN"] + "/presign", data={"path": path, "method": method},
        headers={"Accept": "text/plain", "Authorization": "Bearer " + os.environ["PRESIGN_KEY"]})
    response.raise_for_status()
    return response.text.strip()


class Upload:
    """Buffers what DuckDB writes and sends it in one PUT on close. A COPY that fails does not close it."""

    def __init__(self, path):
        self.path, self.file = path, tempfile.TemporaryFile()
        self.write = self.file.write

    def close(self):
        if self.file.closed:
            return
        with self.file:
            self.file.seek(0)
            status = requests.put(presign(self.path, "PUT"), data=self.file).status_code
        if status != 200:
            raise OSError(f"{self.path}: the storage responded {status}")


class Presigned(AbstractFileSystem):
    protocol = "presign"

    def _open(self, path, mode="rb", **options):
        return Upload(path)


duckdb.register_filesystem(Presigned())
duckdb.sql(f"COPY ({sys.argv[2]}) TO 'presign://{sys.argv[1]}' (FORMAT parquet)")
