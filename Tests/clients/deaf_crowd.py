"""Clients that send requests and read no responses, all at once. usage: deaf_crowd.py HOST:PORT COUNT PID

Ends when the service reads no more. Prints the service's anonymous memory at that time, in KiB.
"""
import selectors
import socket
import sys

host, port = sys.argv[1].rsplit(":", 1)
REQUESTS = b"GET / HTTP/1.1\r\nHost: a\r\n\r\n" * 4000
selector = selectors.DefaultSelector()
for _ in range(int(sys.argv[2])):
    client = socket.socket()
    client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    client.connect((host, int(port)))
    client.setblocking(False)
    selector.register(client, selectors.EVENT_WRITE, [0])
while ready := selector.select(3):
    for key, _ in ready:
        key.data[0] += key.fileobj.send(REQUESTS[key.data[0]:])
        if key.data[0] == len(REQUESTS):
            selector.unregister(key.fileobj)
process = f"/proc/{sys.argv[3]}/"
try:
    with open(process + "smaps_rollup") as file:
        lines = file.readlines()
except OSError:  # Not readable by other users, nor by root without CAP_SYS_PTRACE.
    with open(process + "status") as file:
        lines = file.readlines()
print(*(line.split()[1] for line in lines if line.startswith(("Anonymous:", "RssAnon:"))))
