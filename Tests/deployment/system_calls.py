"""Reports system calls of the service that its systemd unit does not allow.

usage: system_calls.py UNIT PROGRAM ARGUMENT...

PROGRAM is the service, listening on port $PORT. Sends it requests, reloads and stops it under strace, and evaluates the
unit's SystemCallFilter= lines as systemd.exec(5) describes. Prints the number of distinct calls.
"""
import http.client
import os
import re
import signal
import subprocess
import sys
import tempfile
import time

unit, *program = sys.argv[1:]
port = int(os.environ["PORT"])
signal.pthread_sigmask(signal.SIG_UNBLOCK, signal.valid_signals())


def members(name):
    """Returns the calls in a name or an @group of the installed systemd."""
    if not name.startswith("@"):
        return {name}
    listed = subprocess.run(["systemd-analyze", "syscall-filter", name], check=True, capture_output=True, text=True)
    lines = [line.strip() for line in listed.stdout.splitlines()[1:]]
    return set().union(*(members(line) for line in lines if line and not line.startswith("#")))


def allowed():
    # A first line without ~ makes the filter an allow list, which always contains @default.
    calls = members("@default")
    with open(unit) as file:
        for line in re.findall(r"^SystemCallFilter=(.*)$", file.read(), re.M):
            names = set().union(*(members(name) for name in line.lstrip("~").split()))
            calls = calls - names if line.startswith("~") else calls | names
    return calls


def ask(method, path, body=None):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    connection.request(method, path, body, {"Content-Type": "application/json"} if body else {})
    status = connection.getresponse().status
    connection.close()
    return status


def opened(file):
    """Returns how often a file whose path has this end was opened."""
    with open(trace.name) as lines:
        return sum("openat(" in line and f'{file}"' in line for line in lines)


with tempfile.NamedTemporaryFile("r") as trace:
    strace = subprocess.Popen(["strace", "-f", "-o", trace.name, *program], stdout=subprocess.DEVNULL)
    deadline = time.monotonic() + 60
    while True:
        try:
            ask("GET", "/healthz")
            break
        except OSError:
            if time.monotonic() > deadline:
                sys.exit("the service did not start")
            time.sleep(0.05)
    with open(f"/proc/{strace.pid}/task/{strace.pid}/children") as children:
        service = int(children.read().split()[0])
    statuses = [
        ask("POST", "/presign", '{"path":"a"}'), ask("GET", "/presign.js"),
        ask("POST", "/presign", '{"path":"a","validateObjectExistence":true}'),
    ]
    # The reload reads the configuration again, and the other signal reopens the audit file.
    for number, file in ((signal.SIGHUP, "/presign.yaml"), (signal.SIGUSR1, "/audit")):
        before = opened(file)
        os.kill(service, number)
        while opened(file) == before:
            if time.monotonic() > deadline:
                sys.exit(f"{file} was not opened after signal {number}")
            ask("POST", "/presign", '{"path":"a"}')
    os.kill(service, signal.SIGTERM)
    status = strace.wait(60)
    calls = set(re.findall(r"^\d+ +([a-z_0-9]+)\(", trace.read(), re.M))
if statuses != [200, 200, 502] or status != 0:
    sys.exit(f"statuses {statuses}, exit {status}")
refused = calls - allowed()
if refused:
    sys.exit(f"the unit does not allow {', '.join(sorted(refused))}")
print(len(calls))
