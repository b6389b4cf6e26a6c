"""Clients that break off: usage: PRESIGN=http://HOST:PORT PRESIGN_KEY=psk_... rough_clients.py SECONDS

They reset and half-close connections after every byte of a request, pipeline in pieces of any size, and leave answers
unread. Prints how many rounds there were; ends with a line of what went wrong otherwise.
"""
import json
import os
import random
import socket
import struct
import sys
import time
import urllib.parse

place = urllib.parse.urlsplit(os.environ["PRESIGN"])
address = (place.hostname, place.port)
body = json.dumps({"path": "images/cat.jpg", "method": "PUT", "contentLength": 51234})
choice = random.Random(4)


def request(number=0):
    return (f"POST /presign HTTP/1.1\r\nHost: {place.netloc}\r\nX-API-Key: {os.environ['PRESIGN_KEY']}\r\n"
            f"X-Request-Id: number-{number}\r\nContent-Type: application/json\r\n"
            f"Content-Length: {len(body)}\r\n\r\n{body}").encode()


def connect():
    return socket.create_connection(address, timeout=60)


def reset(client):
    """Closes with a reset instead of an end."""
    client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    client.close()


def answers(client):
    """Statuses and X-Request-Ids until the server closes."""
    with client.makefile("rb") as stream:
        while line := stream.readline():
            fields = {}
            while (field := stream.readline()) not in (b"\r\n", b""):
                name, _, value = field.partition(b":")
                fields[name.lower()] = value.strip().decode()
            length = int(fields[b"content-length"])
            if len(stream.read(length)) != length:
                sys.exit("an answer was cut short")
            yield int(line.split()[1]), fields.get(b"x-request-id")


def breaks(end):
    """One connection for each byte of a request, ended there by `end`."""
    whole = request()
    for count in range(len(whole) + 1):
        client = connect()
        client.sendall(whole[:count])
        end(client, count, len(whole))


def half_close(client, count, length):
    client.shutdown(socket.SHUT_WR)
    found = [status for status, _ in answers(client)]
    expected = [] if count == 0 else [200] if count == length else [400]
    if found != expected:
        sys.exit(f"an end after {count} of {length} bytes: {found}, not {expected}")
    client.close()


def pipeline():
    """Requests one behind the other, in pieces of any size; answered in order."""
    client = connect()
    count, largest = choice.choice(((30, 7), (300, 1000), (300, 100_000)))
    whole = b"".join(request(number) for number in range(count))
    start = 0
    while start < len(whole):
        size = choice.randint(1, largest)
        client.sendall(whole[start:start + size])
        start += size
    client.shutdown(socket.SHUT_WR)
    expected = [(200, f"number-{number}") for number in range(count)]
    found = list(answers(client))
    if found != expected:
        sys.exit(f"pipelined: {len(found)} answers for {len(expected)} requests: {found[-1:]}")
    client.close()


def unread():
    """Requests until the server takes no more, and not one answer read."""
    client = connect()
    client.settimeout(0.2)
    many = b"".join(request(number) for number in range(100))
    try:
        for _ in range(200):
            client.sendall(many)
        sys.exit("the server reads on for a client that takes no answers")
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
