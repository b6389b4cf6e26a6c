"""A network with delay and limited speed: relays TCP connections.

Usage: slow_proxy.py MILLISECONDS BYTES PORT:HOST:PORT... Every connection to the first port of each route is relayed to
the host and port behind it. A round trip, and the start of a connection, take MILLISECONDS. Each connection sends at
most BYTES per second to the server.
"""

import queue
import socket
import sys
import threading
import time

delay = int(sys.argv[1]) / 1000
speed = int(sys.argv[2])
PIECE = 16384


def read_slowly(client, pieces):
    """The client's bytes, each with the time at which it reaches the server."""
    free_at = time.monotonic()
    while data := client.recv(PIECE):
        free_at = max(free_at, time.monotonic()) + len(data) / speed
        pieces.put((free_at + delay, data))
        time.sleep(max(0, free_at - time.monotonic()))
    pieces.put((0, b""))


def write_late(pieces, server):
    while True:
        due, data = pieces.get()
        if not data:
            break
        time.sleep(max(0, due - time.monotonic()))
        server.sendall(data)
    server.shutdown(socket.SHUT_WR)


def copy(server, client):
    while data := server.recv(1 << 18):
        client.sendall(data)
    client.shutdown(socket.SHUT_WR)


def run(action, *sockets):
    try:
        action(*sockets)
    except OSError:
        pass


def serve(client, target):
    time.sleep(delay)
    pieces = queue.Queue()
    with client, socket.create_connection(target) as server:
        threads = [
            threading.Thread(target=run, args=arguments, daemon=True)
            for arguments in [(read_slowly, client, pieces), (write_late, pieces, server), (copy, server, client)]
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()


def listen(route):
    port, host, target_port = route.split(":")
    with socket.socket() as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        # A large buffer would take bytes that are not sent yet.
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 65536)
        listener.bind(("127.0.0.1", int(port)))
        listener.listen(64)
        while True:
            client = listener.accept()[0]
            client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            threading.Thread(target=run, args=(serve, client, (host, int(target_port))), daemon=True).start()


listeners = [threading.Thread(target=listen, args=(route,)) for route in sys.argv[3:]]
for thread in listeners:
    thread.start()
print("ready", flush=True)
