"""DuckDB with its httpfs extension, loaded from the PyPI package."""
import pathlib

import duckdb
import duckdb_extension_httpfs


def connect():
    package = pathlib.Path(duckdb_extension_httpfs.__file__).parent
    (extension,) = package.rglob("httpfs.duckdb_extension")
    connection = duckdb.connect()
    connection.execute(f"LOAD '{extension}'")
    return connection
