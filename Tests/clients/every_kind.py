"""Sends every kind of request in rounds and counts the memory blocks that the service keeps.

usage: PRESIGN=http://HOST:PORT PRESIGN_KEY=psk_... SECRET=... BLOCKS=FILE every_kind.py STORAGE PID ROUNDS

The service is `presign serve --local` with the configuration of the calling test; BLOCKS contains its number of
allocated blocks. Prints the growth over ROUNDS rounds, after as many rounds to fill the caches.
"""
import base64
import hashlib
import hmac
import http.client
import json
import os
import signal
import socket
import struct
import sys
import time
import urllib.parse

service = urllib.parse.urlsplit(os.environ["PRESIGN"]).netloc
storage, process, rounds = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
KEY = {"X-API-Key": os.environ["PRESIGN_KEY"]}
JSON = {"Content-Type": "application/json"}
FORM = {"Content-Type": "application/x-www-form-urlencoded"}
# Input that ends a connection, and the status of its response.
POISON = [
    (b"GET / HTTP/1.1\r\nHost: localhost\r\n b: c\r\n\r\n", 400), (b"GET / HTTP/1.1\r\n\r\n", 400),
    (b"POST /presign HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", 400),
    (b"GET /" + b"a" * 9000 + b" HTTP/1.1\r\n", 414), (b"BREW / HTTP/1.1\r\nHost: localhost\r\n\r\n", 501),
    (b"POST /presign HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n{", None), (b"GET /hea", None), (b"", None)]


def token(identity, secret=os.environ["SECRET"], life=600):
    part = lambda content: base64.urlsafe_b64encode(content).rstrip(b"=")
    claims = {"iss": "https://issuer.example", "aud": "presign", "sub": identity, "groups": ["editors", identity],
              "exp": int(time.time()) + life}
    text = part(b'{"alg":"HS256"}') + b"." + part(json.dumps(claims).encode())
    signature = hmac.new(secret.encode(), text, hashlib.sha256).digest()
    return {"Authorization": "Bearer " + (text + b"." + part(signature)).decode()}


def ask(connection, expected, method, path, body=None, headers=KEY):
    if isinstance(body, dict):
        body, headers = json.dumps(body), headers | JSON
    connection.request(method, path, body, headers)
    response = connection.getresponse()
    content = response.read()
    if response.status != expected:
        sys.exit(f"{method} {path} {body!r}: {response.status} {content!r}, not {expected}")
    return content


def url(connection, **members):
    parts = urllib.parse.urlsplit(json.loads(ask(connection, 200, "POST", "/presign", members))["url"])
    return f"{parts.path}?{parts.query}"


def granted(front, back, name):
    ask(back, 200, "PUT", url(front, path=name, method="PUT", contentType="image/png", contentLength=4), b"1234",
        {"Content-Type": "image/png"})
    there = url(front, path=name, validateObjectExistence=True)
    ask(back, 200, "GET", there, headers={})
    ask(back, 403, "GET", there[:-1], headers={})
    ask(front, 404, "POST", "/presign", {"path": name + "-", "validateObjectExistence": True})
    ask(front, 200, "POST", "/presign", f"path={name}&method=DELETE", KEY | FORM | {"Accept": "text/plain"})
    ask(front, 200, "POST", "/presign", iter([b'{"path":', f'"{name}"}}'.encode()]), KEY | JSON)
    ask(front, 200, "POST", "/presign/batch", {"requests": [{"path": f"{name}{i}"} for i in range(10)] + [{}]})
    ask(front, 307, "GET", "/o/" + name)
    ask(front, 200, "POST", "/presign", {"path": "guests/a"}, {})
    ask(front, 200, "POST", "/presign", {"path": f"private/{name[-3:]}/a", "method": "PUT"}, token(name[-3:]))


def refused(front, name):
    ask(front, 400, "POST", "/presign", '{"path":', KEY | JSON)
    ask(front, 400, "POST", "/presign", {"path": "a/../b", "nothing": name})
    ask(front, 415, "POST", "/presign", "x", KEY | {"Content-Type": "text/xml"})
    ask(front, 422, "POST", "/presign", {"path": name, "expiresIn": 604800})
    ask(front, 403, "POST", "/presign", {"path": "private/nobody/" + name}, token(name[-3:]))
    for bad in [{"X-API-Key": "psk_tester_" + "x" * 43}, token("a", "another secret" * 9), token("a", life=-600)]:
        ask(front, 401, "POST", "/presign", {"path": name}, bad)
    ask(front, 404, "GET", "/" + name)
    ask(front, 405, "PUT", "/presign", "a")


def everything(number):
    front, back = (http.client.HTTPConnection(host, timeout=60) for host in (service, storage))
    name = f"uploads/{number % 1000:03}"
    granted(front, back, name)
    refused(front, name)
    for path in ["/metrics", "/metrics", "/healthz", "/readyz", "/"]:
        ask(front, 200, "GET", path)
    ask(front, 204, "OPTIONS", "/presign", headers={
        "Origin": "http://localhost", "Access-Control-Request-Method": "POST"})
    for connection in (front, back):
        connection.close()
    host, port = service.rsplit(":", 1)
    for data, status in POISON:
        with socket.create_connection((host, port), 60) as connection:
            connection.sendall(data)
            if status and connection.recv(4096).split(b" ")[1] != str(status).encode():
                sys.exit(f"{data!r} did not get the response {status}")
    os.kill(process, signal.SIGHUP)


def blocks():
    """Returns the number of blocks, after a request that makes the service release its previous configuration."""
    front = http.client.HTTPConnection(service, timeout=60)
    ask(front, 200, "GET", "/healthz")
    front.close()
    with open(os.environ["BLOCKS"], "rb") as file:
        return struct.unpack("=q", file.read(8))[0]


def blocks_after_rounds():
    """Returns the minimum within a second, because log lines or a reload may still be in progress."""
    for number in range(rounds):
        everything(number)
    end = time.monotonic() + 1
    least = blocks()
    while time.monotonic() < end:
        least = min(least, blocks())
    return least


before = blocks_after_rounds()
print(blocks_after_rounds() - before)
