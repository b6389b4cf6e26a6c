"""Exhausts the limits of a service with TLS, and sends small requests meanwhile.

usage: exhaust_memory.py PORT CONNECTIONS AUTHORITY

Opens almost CONNECTIONS connections: first batches of 1 MiB without their last byte, until some are refused; then
batches with large responses that are not read, until some are refused; then TLS records without their last byte, and
handshakes whose first message has the maximum size and lacks its last byte. Prints the counts as a line of JSON.
PRESIGN_KEY is the API key.
"""
import json
import os
import socket
import ssl
import sys
import time

port, connections, authority = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
context = ssl.create_default_context(cafile=authority)
SPARE = 8
BATCH = 1 << 20
HELLO = 16_384
ITEM = b'{"path":"a"}'


def post(path, body, length=None):
    return (f"POST {path} HTTP/1.1\r\nHost: localhost\r\nX-API-Key: {os.environ['PRESIGN_KEY']}\r\n"
            f"Content-Type: application/json\r\nContent-Length: {length or len(body)}\r\n\r\n").encode() + body


def connect():
    client = socket.socket()
    # A small buffer, so that unread responses stay in the service.
    client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    client.settimeout(10)
    client.connect(("127.0.0.1", port))
    return client


class Client:
    """A TLS connection that can hold back bytes of a record."""

    def __init__(self):
        self.socket = connect()
        self.incoming, self.outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
        self.tls = context.wrap_bio(self.incoming, self.outgoing, server_hostname="localhost")
        while True:
            try:
                self.tls.do_handshake()
                break
            except ssl.SSLWantReadError:
                self.flush()
                self.incoming.write(self.socket.recv(1 << 16))
        self.flush()

    def flush(self, but=0):
        data = self.outgoing.read()
        self.socket.sendall(data[:len(data) - but])

    def send(self, data, but=0):
        self.tls.write(data)
        self.flush(but)

    def response(self, seconds=10):
        """Returns the status and the header names; None if no response arrives in time."""
        received = b""
        self.socket.settimeout(seconds)
        while b"\r\n\r\n" not in received:
            try:
                received += self.tls.read(1 << 16)
            except ssl.SSLWantReadError:
                try:
                    data = self.socket.recv(1 << 16)
                except TimeoutError:
                    return None
                if not data:
                    return None
                self.incoming.write(data)
        lines = received.split(b"\r\n\r\n")[0].decode().split("\r\n")
        return int(lines[0].split()[1]), {line.split(":")[0].lower() for line in lines[1:]}


held, counts = [], {"refused": 0, "wrong": []}


def note(response, expected, name):
    """Counts a response and checks its status."""
    if response is None or response[0] != expected or (expected == 503 and "retry-after" not in response[1]):
        counts["wrong"].append(f"{name}: {response}")
    elif expected == 503:
        counts["refused"] += 1


def exhaust(name, start):
    """Calls `start` with new clients until three in a row are refused; it returns None to keep a client."""
    counts[name] = misses = 0
    while misses < 3 and len(held) < connections - SPARE:
        client = Client()
        response = start(client)
        if response is None:
            held.append(client)
            counts[name] += 1
            misses = 0
        else:
            note(response, 503, name)
            misses += 1


def large_body(client):
    body = b'{"requests":[' + b",".join([ITEM] * 1000) + b"]}"
    client.send(post("/presign/batch", body, BATCH))
    # A body that does not fit into memory is refused at its head.
    response = client.response(0.02)
    if response is None:
        client.send(b" " * (BATCH - len(body) - 1))
    return response


def large_response(client):
    client.send(post("/presign/batch", b'{"requests":[' + b",".join([ITEM] * 1000) + b"]}"))
    # Reads the head of the response and then no more.
    response = client.response()
    return None if response and response[0] == 200 else response or (0, set())


def small_requests(name):
    for request, status in [
        (b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n", 200), (b"GET /readyz HTTP/1.1\r\nHost: localhost\r\n\r\n", 200),
        (post("/presign", b'{"path":"a"' + b" " * 3500 + b"}"), 200), (post("/presign/batch", b"", BATCH), 503),
    ]:
        client = Client()
        for piece in (request[:300], request[300:]):
            client.send(piece)
            time.sleep(0.01)
        note(client.response(), status, f"{name} {status}")
        client.socket.close()


def handshake():
    client = connect()
    message = b"\x01" + HELLO.to_bytes(3, "big") + b"\x03\x03" + bytes(HELLO - 3)
    for part in (message[:1 << 14], message[1 << 14:]):
        client.sendall(b"\x16\x03\x01" + len(part).to_bytes(2, "big") + part)
    return client


exhaust("bodies", large_body)
small_requests("bodies")
exhaust("responses", large_response)
small_requests("responses")
counts["records"] = counts["handshakes"] = 0
while len(held) < connections - SPARE:
    if counts["records"] < counts["handshakes"]:
        client = Client()
        client.send(b"GET /healthz HTTP/1.1\r\nX: " + b"x" * 3900)
        client.send(b"x" * 16_384, but=1)
        counts["records"] += 1
    else:
        client = handshake()
        counts["handshakes"] += 1
    held.append(client)
small_requests("everything")
print(json.dumps(counts))
