"""Uses the service with Python's http.client on one connection.

usage: PRESIGN=http://HOST:PORT PRESIGN_KEY=psk_... http_client.py

Prints the number of requests, or exits with an error message.
"""
import http.client
import json
import os
import socket
import sys
import urllib.parse

KEY = {"X-API-Key": os.environ["PRESIGN_KEY"], "Content-Type": "application/json"}
GOOD = json.dumps({"path": "images/cat.jpg", "method": "PUT", "contentLength": 51234}).encode()

connection = http.client.HTTPConnection(urllib.parse.urlsplit(os.environ["PRESIGN"]).netloc, timeout=30)
connection.connect()
port = connection.sock.getsockname()[1]
carried = 0


def take(expected, what):
    """Reads the response, which must have the status and keep the connection open."""
    global carried
    response = connection.getresponse()
    body = response.read()
    if response.status != expected:
        sys.exit(f"{what}: {response.status}, not {expected}: {body!r}")
    # http.client would reconnect silently.
    if response.will_close or connection.sock is None or connection.sock.getsockname()[1] != port:
        sys.exit(f"{what}: the connection was closed")
    carried += 1
    return response, body


def ask(expected, what, method="POST", path="/presign", body=GOOD, headers=KEY, **options):
    connection.request(method, path, body, headers, **options)
    return take(expected, what)


def grant(what="a good request"):
    _, body = ask(200, what)
    if json.loads(body)["method"] != "PUT":
        sys.exit(f"{what}: {body!r}")


for _ in range(5):
    grant()

for size in (1, 7, len(GOOD)):
    pieces = (GOOD[start:start + size] for start in range(0, len(GOOD), size))
    ask(200, f"chunks of {size}", body=pieces, headers={**KEY, "Transfer-Encoding": "chunked"}, encode_chunked=True)

for path, status in (("/healthz", 200), ("/nowhere", 404)):
    _, body = ask(status, "GET", "GET", path, None, {})
    head, none = ask(status, "HEAD", "HEAD", path, None, {})
    if none or int(head.getheader("Content-Length")) != len(body) or not body:
        sys.exit(f"HEAD {path}: {head.getheaders()}, GET has {len(body)} bytes")
    grant("after HEAD")

REFUSALS = [
    (401, "no key", {"headers": {"Content-Type": "application/json"}}),
    (401, "a bad key", {"headers": {**KEY, "X-API-Key": "psk_wrong"}}),
    (400, "half a body", {"body": GOOD[:-1]}),
    (400, "an unknown member", {"body": b'{"path":"a","expiresin":5}'}),
    (415, "another type", {"headers": {**KEY, "Content-Type": "text/xml"}}),
    (404, "no such route", {"path": "/nowhere"}),
    (405, "no such method", {"method": "DELETE", "body": None}),
]
for status, what, options in REFUSALS:
    ask(status, what, **options)
    grant("after " + what)

# request() would send the body at once, so send the head separately.
connection.putrequest("POST", "/presign")
for name, value in {**KEY, "Content-Length": str(len(GOOD)), "Expect": "100-continue"}.items():
    connection.putheader(name, value)
connection.endheaders()
interim = connection.sock.recv(64, socket.MSG_PEEK)
if not interim.startswith(b"HTTP/1.1 100 "):
    sys.exit(f"100-continue: {interim!r}")
connection.send(GOOD)
take(200, "100-continue")
grant("after 100-continue")
print(carried)
