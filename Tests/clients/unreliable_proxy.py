"""A proxy before a storage that delays, cuts and corrupts what it relays.

Usage: unreliable_proxy.py PORT STORAGE_PORT LOG [FAULT...]. Writes a line for each request to LOG: method, target, and the
range or "-". The faults:

    delay=SECONDS     before each response
    speed=BYTES       per second of each upload and download
    cut=BYTES         resets the connection that carries them after each BYTES of content, in both directions together
    corrupt=COUNT     changes a byte of the first COUNT contents above 1 kB in each direction
    stall=COUNT       sends no response to the first COUNT uploads
"""

import re
import socket
import struct
import sys
import threading
import time

port, storage_port, log_name = sys.argv[1:4]
faults = dict(argument.split("=") for argument in sys.argv[4:])
lock = threading.Lock()
log = open(log_name, "w", buffering=1)
carried = 0
left = {name: int(faults.get("corrupt", 0)) for name in ("up", "down")} | {"stall": int(faults.get("stall", 0))}


class Cut(Exception):
    """The connection is to be reset."""


def take(name):
    """Returns whether a fault that occurs a number of times occurs now."""
    with lock:
        left[name] -= 1
        return left[name] >= 0


def carry(source, target, count, first, direction):
    """Relays content, of which the first bytes have arrived. Without a count, until the source closes."""
    global carried
    piece, is_corrupt = first, None
    while piece or count != 0:
        if not piece:
            piece = source.recv(1 << 16)
            if not piece:
                return
        if is_corrupt is None and len(piece) > 1000:
            is_corrupt = take(direction)
            if is_corrupt:
                piece = bytes([piece[0] ^ 1]) + piece[1:]
        with lock:
            before, limit = carried, int(faults.get("cut", 1 << 60))
            carried += len(piece)
            if before // limit != carried // limit:
                raise Cut
        target.sendall(piece)
        if "speed" in faults:
            time.sleep(len(piece) / int(faults["speed"]))
        if count is not None:
            count -= len(piece)
        piece = b""


def head_of(connection):
    head = b""
    while b"\r\n\r\n" not in head:
        piece = connection.recv(65536)
        if not piece:
            return None, b""
        head += piece
    return head.split(b"\r\n\r\n", 1)


def relay(client):
    head, body = head_of(client)
    if head is None:
        return
    method, target = head.decode().split(" ")[:2]
    length = re.search(rb"(?im)^content-length:\s*(\d+)", head)
    asked = re.search(rb"(?im)^range:\s*(\S+)", head)
    log.write(f"{method} {target} {asked[1].decode() if asked else '-'}\n")
    # One request per connection, so that responses end with it.
    head = re.sub(rb"(?im)^(connection|keep-alive|expect):[^\r\n]*\r\n", b"", head + b"\r\n")
    with socket.create_connection(("127.0.0.1", int(storage_port))) as server:
        server.sendall(head + b"connection: close\r\n\r\n")
        carry(client, server, int(length[1]) if length else 0, body, "up")
        if method == "PUT" and take("stall"):
            client.recv(1)
            return
        time.sleep(float(faults.get("delay", 0)))
        response, content = head_of(server)
        if response is None:
            return
        client.sendall(response + b"\r\n\r\n")
        if method != "HEAD":
            carry(server, client, None, content, "down")


def serve(client):
    with client:
        try:
            relay(client)
        except Cut:
            # Closing with this option sends a reset.
            client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        except OSError:
            pass


with socket.create_server(("127.0.0.1", int(port)), backlog=64) as listener:
    print("ready", flush=True)
    while True:
        threading.Thread(target=serve, args=(listener.accept()[0],), daemon=True).start()
