"""Runs `presign serve` on a terminal, sends it two requests, stops it, and prints the terminal's output.

usage: terminal.py COMMAND...
"""
import os
import pty
import re
import select
import signal
import sys
import time
import urllib.error
import urllib.request

process, terminal = pty.fork()
if process == 0:
    os.execvp(sys.argv[1], sys.argv[1:])
shown = b""


def read():
    """Reads more output; returns false at the end."""
    global shown
    try:
        more = os.read(terminal, 65536)
    except OSError:
        more = b""
    shown += more
    return more != b""


def await_text(pattern):
    deadline = time.monotonic() + 60
    while not (found := re.search(pattern, shown)):
        ready, _, _ = select.select([terminal], [], [], max(0, deadline - time.monotonic()))
        if not ready or not read():
            sys.exit(f"no {pattern} on the terminal: {shown}")
    return found


def ask(body, key, address):
    request = urllib.request.Request(f"http://{address}/presign", body, {"X-API-Key": key})
    try:
        urllib.request.urlopen(request, timeout=30).close()
    except urllib.error.HTTPError as error:
        error.close()


key = await_text(rb"API key   (\S+)").group(1).decode()
address = await_text(rb"page      http://([^/]+)/").group(1).decode()
ask(b"path=uploads/a.txt", key, address)
ask(b"path=elsewhere/a", key, address)
await_text(rb"(?s) ms.* ms")
os.kill(process, signal.SIGTERM)
while read():
    pass
sys.stdout.write(shown.decode())
sys.exit(os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]))
