"""Uploads and downloads a file. usage: PRESIGN=http://HOST:PORT PRESIGN_KEY=psk_... requests_round_trip.py PATH FILE

Prints the download's content type, then its length.
"""
import os
import sys

import requests

service = requests.Session()
service.headers["Authorization"] = "Bearer " + os.environ["PRESIGN_KEY"]


def presign(**members):
    response = service.post(os.environ["PRESIGN"] + "/presign", json=members)
    if not response.ok:
        sys.exit(f"{response.status_code}: {response.json()['detail']}")
    return response.json()


path, file = sys.argv[1:3]
grant = presign(path=path, method="PUT", contentType="application/x-sample")
with open(file, "rb") as content:
    requests.put(grant["url"], headers=grant["headers"], data=content).raise_for_status()
response = requests.get(presign(path=path)["url"])
response.raise_for_status()
with open(file, "rb") as content:
    if response.content != content.read():
        sys.exit("the downloaded content differs")
print(response.headers["Content-Type"])
print(len(response.content))
