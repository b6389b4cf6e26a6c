"""Uploads and downloads a file: usage: PRESIGN=http://HOST:PORT PRESIGN_KEY=psk_... requests_round_trip.py PATH FILE

Prints the download's content type, then its length.
"""
import os
import sys

import requests

service = requests.Session()
service.headers["Authorization"] = "Bearer " + os.environ["PRESIGN_KEY"]


def presign(**members):
    answer = service.post(os.environ["PRESIGN"] + "/presign", json=members)
    if not answer.ok:
        sys.exit(f"{answer.status_code}: {answer.json()['detail']}")
    return answer.json()


path, file = sys.argv[1:3]
grant = presign(path=path, method="PUT", contentType="application/x-sample")
with open(file, "rb") as content:
    requests.put(grant["url"], headers=grant["headers"], data=content).raise_for_status()
answer = requests.get(presign(path=path)["url"])
answer.raise_for_status()
with open(file, "rb") as content:
    if answer.content != content.read():
        sys.exit("another content came back")
print(answer.headers["Content-Type"])
print(len(answer.content))
