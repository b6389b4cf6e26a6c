"""Lists a folder page by page and queries its Parquet files. usage: duckdb_folder.py PREFIX

PRESIGN is the address of the service, PRESIGN_KEY its API key. Prints the number of files and rows.
"""
import os
import sys
from urllib.parse import unquote_plus
from xml.etree import ElementTree

import httpfs
import requests


def presign(route, body):
    response = requests.post(
        os.environ["PRESIGN"] + route, json=body, headers={"Authorization": "Bearer " + os.environ["PRESIGN_KEY"]})
    response.raise_for_status()
    return response.json()


def keys(prefix):
    page = {"prefix": prefix, "maxKeys": 2}
    while page:
        response = requests.get(presign("/presign", page)["url"])
        response.raise_for_status()
        listing = ElementTree.fromstring(response.content)
        yield from (unquote_plus(key.text) for key in listing.findall("{*}Contents/{*}Key"))
        token = listing.findtext("{*}NextContinuationToken")
        page = token and {"prefix": prefix, "maxKeys": 2, "continuationToken": token}


paths = [{"path": key} for key in keys(sys.argv[1]) if key.endswith(".parquet")]
urls = [result["url"] for result in presign("/presign/batch", {"requests": paths})["results"]]
(count,) = httpfs.connect().execute("SELECT count(*) FROM read_parquet(?)", [urls]).fetchone()
print(len(urls), count)
