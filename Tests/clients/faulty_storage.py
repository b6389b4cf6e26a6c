"""A storage that fails in the way named by the last path segment. usage: faulty_storage.py [PORT]; prints its port."""
import os
import socket
import struct
import sys
import threading
import time

STATUS = {"present": 200, "missing": 404, "forbidden": 403, "broken": 500, "busy": 503}


def respond(connection, mode):
    def head(status):
        return f"HTTP/1.1 {status} X\r\nContent-Length: 0\r\nETag: \"1\"\r\n\r\n".encode()

    if mode in STATUS:
        return connection.sendall(head(STATUS[mode]))
    if mode == "slow":
        time.sleep(0.4)
        return connection.sendall(head(200))
    if mode == "late":
        time.sleep(5)
        return connection.sendall(head(200))
    if mode == "silent":
        # Until the client closes.
        return connection.recv(1)
    if mode == "dribble":
        for byte in head(200):
            connection.sendall(bytes([byte]))
            time.sleep(0.1)
    if mode == "garbage":
        return connection.sendall(os.urandom(4096))
    if mode == "misspelt":
        return connection.sendall(b"HTTP/1.1 2OO OK\r\nContent-Length: 0\r\n\r\n")
    if mode == "truncated":
        return connection.sendall(b"HTTP/1.1 20")
    if mode == "endless":
        connection.sendall(b"HTTP/1.1 200 OK\r\n")
        while True:
            connection.sendall(b"X-More: " + b"a" * 4000 + b"\r\n")
    if mode == "elsewhere":
        return connection.sendall(b"HTTP/1.1 307 X\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n")
    if mode == "continues":
        while True:
            connection.sendall(b"HTTP/1.1 100 Continue\r\n\r\n")
            time.sleep(0.01)
    if mode == "reset":
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    # "closed", "reset" and all remaining modes: the caller closes the connection without a response.


def serve(connection):
    with connection:
        try:
            received = b""
            while b"\r\n\r\n" not in received:
                piece = connection.recv(65536)
                if not piece:
                    return
                received += piece
            path = received.split(b" ")[1].split(b"?")[0].decode()
            respond(connection, path.rsplit("/", 1)[-1])
        except OSError:
            pass


listener = socket.create_server(("127.0.0.1", int(sys.argv[1]) if len(sys.argv) > 1 else 0), backlog=1024)
print(listener.getsockname()[1], flush=True)
while True:
    threading.Thread(target=serve, args=(listener.accept()[0],), daemon=True).start()
