"""Passes a listening socket to a program and restarts the program when it exits, as systemd does with a socket unit.

usage: activator.py ADDRESS PROGRAM ARGUMENT...

ADDRESS is a port of 127.0.0.1 (0: any) or the path of a Unix socket. Prints `listening PORT`, `started PID` at each
start, and each notification of the program with the prefix `>`. SIGUSR1 stops listening. SIGTERM is passed to the
program and ends this one too.
"""
import os
import signal
import socket
import sys
import threading

# The parent process may have blocked signals.
signal.pthread_sigmask(signal.SIG_UNBLOCK, signal.valid_signals())
address, program, *arguments = sys.argv[1:]
if address.isdigit():
    listener = socket.create_server(("127.0.0.1", int(address)), backlog=1024)
    print("listening", listener.getsockname()[1], flush=True)
else:
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(address)
    listener.listen(1024)
    print("listening", address, flush=True)
name = f"presign-activator-{os.getpid()}"
notices = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
notices.bind("\0" + name)


def hear():
    while True:
        for line in notices.recv(4096).decode().splitlines():
            print(">" + line, flush=True)


def start():
    child = os.fork()
    if child:
        return child
    os.dup2(listener.fileno(), 3)
    os.set_inheritable(3, True)
    own = {"LISTEN_PID": str(os.getpid()), "LISTEN_FDS": "1", "LISTEN_FDNAMES": "http", "NOTIFY_SOCKET": "@" + name}
    os.execve(program, [program, *arguments], {**os.environ, **own})


def stop(*_):
    global stopping
    stopping = True
    os.kill(child, signal.SIGTERM)


stopping = False
child = start()
signal.signal(signal.SIGTERM, stop)
signal.signal(signal.SIGUSR1, lambda *_: listener.shutdown(socket.SHUT_RDWR))
print("started", child, flush=True)
threading.Thread(target=hear, daemon=True).start()
while True:
    _, status = os.waitpid(child, 0)
    print("ended", os.waitstatus_to_exitcode(status), flush=True)
    if stopping:
        sys.exit(os.waitstatus_to_exitcode(status))
    child = start()
    print("started", child, flush=True)
