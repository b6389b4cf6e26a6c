"""A proxy that gives the service and its storage one origin, and cuts connections.

Usage: cutting_proxy.py PORT BUCKET STORAGE_PORT SERVICE_FILE BYTES. Paths in the bucket go to the storage, all others to
the service, whose `host:port` is in the file. After each BYTES of uploads, the connection that carries them is reset.
GET /control/count returns the bytes of all uploads, and the number of resets.
"""

import json
import re
import socket
import struct
import sys
import threading

port, bucket, storage_port, service_file, limit = sys.argv[1:]
uploaded = 0
resets = 0
lock = threading.Lock()


def upstream(path):
    if path.startswith(f"/{bucket}/".encode()):
        return socket.create_connection(("127.0.0.1", int(storage_port)))
    with open(service_file) as file:
        host, service_port = file.read().strip().rsplit(":", 1)
    return socket.create_connection((host, int(service_port)))


def is_cut(count):
    """Counts bytes of an upload. Returns whether its connection is to be cut."""
    global uploaded, resets
    with lock:
        uploaded += count
        is_due = uploaded // int(limit) > resets
        resets += is_due
        return is_due


def relay(client):
    head = b""
    while b"\r\n\r\n" not in head:
        piece = client.recv(65536)
        if not piece:
            return
        head += piece
    head, body = head.split(b"\r\n\r\n", 1)
    method, path = head.split(b" ", 2)[:2]
    if path == b"/control/count":
        body = json.dumps({"bytes": uploaded, "resets": resets}).encode()
        client.sendall(b"HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: %d\r\n\r\n%s" % (len(body), body))
        return
    length = re.search(rb"(?im)^content-length:\s*(\d+)", head)
    left = int(length[1]) if length else 0
    # One request per connection, so that responses end with it.
    head = re.sub(rb"(?im)^(connection|keep-alive|expect):[^\r\n]*\r\n", b"", head + b"\r\n")
    with upstream(path) as server:
        server.sendall(head + b"connection: close\r\n\r\n" + body)
        left -= len(body)
        while left > 0:
            piece = client.recv(min(left, 1 << 18))
            if not piece:
                return
            if method == b"PUT" and is_cut(len(piece)):
                # Closing with this option sends a reset.
                client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                return
            server.sendall(piece)
            left -= len(piece)
        while piece := server.recv(1 << 18):
            client.sendall(piece)


def serve(client):
    with client:
        try:
            relay(client)
        except OSError:
            pass


with socket.create_server(("127.0.0.1", int(port)), backlog=64) as listener:
    print("ready", flush=True)
    while True:
        threading.Thread(target=serve, args=(listener.accept()[0],), daemon=True).start()
