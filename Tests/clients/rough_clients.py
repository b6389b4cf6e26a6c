"""Clients that abort connections. usage: PRESIGN=http://HOST:PORT PRESIGN_KEY=psk_... rough_clients.py SECONDS

They reset and half-close connections after every byte of a request, pipeline requests in pieces of any size, and leave
responses unread. Prints the number of rounds, or exits with an error message.

PRESIGN_E2E_SLOWNESS divides the number of pipelined requests: a service under a sanitizer is overloaded sooner.
"""
import json
import os
import random
import socket
import struct
import sys
import time
import urllib.parse

server = urllib.parse.urlsplit(os.environ["PRESIGN"])
address = (server.hostname, server.port)
body = json.dumps({"path": "images/cat.jpg", "method": "PUT", "contentLength": 51234})
choice = random.Random(4)
slowness = int(os.environ.get("PRESIGN_E2E_SLOWNESS", 1))


def request(number=0):
    return (f"POST /presign HTTP/1.1\r\nHost: {server.netloc}\r\nX-API-Key: {os.environ['PRESIGN_KEY']}\r\n"
            f"X-Request-Id: number-{number}\r\nContent-Type: application/json\r\n"
            f"Content-Length: {len(body)}\r\n\r\n{body}").encode()


def connect():
    return socket.create_connection(address, timeout=60)


def reset(client):
    """Closes with a reset (RST)."""
    client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    client.close()


def responses(client):
    """Yields statuses and X-Request-Ids until the server closes."""
    with client.makefile("rb") as stream:
        while line := stream.readline():
            fields = {}
            while (field := stream.readline()) not in (b"\r\n", b""):
                name, _, value = field.partition(b":")
                fields[name.lower()] = value.strip().decode()
            length = int(fields[b"content-length"])
            if len(stream.read(length)) != length:
                sys.exit("a response was truncated")
            yield int(line.split()[1]), fields.get(b"x-request-id")


def breaks(end):
    """Opens a connection for each prefix of a request, and ends it with `end`."""
    whole = request()
    for count in range(len(whole) + 1):
        client = connect()
        client.sendall(whole[:count])
        end(client, count, len(whole))


def half_close(client, count, length):
    client.shutdown(socket.SHUT_WR)
    found = [status for status, _ in responses(client)]
    expected = [] if count == 0 else [200] if count == length else [400]
    if found != expected:
        sys.exit(f"half-closed after {count} of {length} bytes: {found}, not {expected}")
    client.close()


def pipeline():
    """Sends pipelined requests in pieces of random size; the responses must come in order."""
    client = connect()
    count, largest = choice.choice(((30, 7), (300, 1000), (300, 100_000)))
    count //= slowness
    whole = b"".join(request(number) for number in range(count))
    start = 0
    while start < len(whole):
        size = choice.randint(1, largest)
        client.sendall(whole[start:start + size])
        start += size
    client.shutdown(socket.SHUT_WR)
    expected = [(200, f"number-{number}") for number in range(count)]
    found = list(responses(client))
    if found != expected:
        sys.exit(f"pipelined: {len(found)} responses to {len(expected)} requests: {found[-1:]}")
    client.close()


def unread():
    """Sends requests without reading responses until the server stops reading."""
    client = connect()
    client.settimeout(0.2)
    many = b"".join(request(number) for number in range(100 // slowness))
    try:
        for _ in range(200 * slowness):
            client.sendall(many)
        sys.exit("the server keeps reading from a client that reads no responses")
    except TimeoutError:
        pass
    (reset if choice.random() < 0.5 else socket.socket.close)(client)


deadline = time.monotonic() + float(sys.argv[1])
rounds = 0
while rounds == 0 or time.monotonic() < deadline:
    breaks(lambda client, *_: reset(client))
    breaks(half_close)
    for _ in range(5):
        pipeline()
    unread()
    rounds += 1
print(rounds)
