"""Start time, memory, binary size and system calls of the service."""

import pathlib
import re
import shutil
import time

from harness import BODY, STRIPPED, Client, Nginx, Service, difference, median, probe, save, table

IDLE = 10_000


def start_to_first_response(make):
    """Returns the milliseconds from starting the process to a response of /healthz, polled every 0.2 ms."""
    times = []
    for _ in range(9):
        server = make()
        try:
            while not probe(server):
                time.sleep(0.0002)
            times.append((time.monotonic() - server.began) * 1e3)
        finally:
            server.end()
    return median(times)


def memory():
    """Returns the PSS in KiB after one request, and the bytes added by an idle keep-alive connection."""
    with Service() as service:
        service.response()
        time.sleep(0.3)
        first = service.pss()
        # Warm up with as many requests over one connection, so that buffers filled by requests are not attributed to
        # connections. Only anonymous memory counts, because program pages are not a cost of connections either.
        with Client(service.port) as client:
            for _ in range(IDLE):
                client.exchange(service.request())
        time.sleep(0.5)
        before = service.pss("Pss_Anon")
        clients = []
        try:
            for _ in range(IDLE):
                clients.append(Client(service.port))
                clients[-1].exchange(service.request())
            time.sleep(0.5)
            return first, (service.pss("Pss_Anon") - before) * 1024 / IDLE
        finally:
            for client in clients:
                client.close()


def traced(requests, in_flight):
    """Returns the system calls of a run by name; `in_flight` connections send concurrently."""
    service = Service(["strace", "-D", "-f", "-qq", "-c", "-U", "name,calls", "-o", "calls"], loops=1)
    counts = pathlib.Path(service.folder, "calls")
    with service:
        clients = [Client(service.port) for _ in range(in_flight)]
        for _ in range(requests // in_flight):
            for client in clients:
                client.send(service.request())
            for client in clients:
                client.receive()
        for client in clients:
            client.close()
    end = time.monotonic() + 10  # strace writes the counts after the process has exited
    while not counts.exists() or "total" not in counts.read_text():
        if time.monotonic() > end:
            raise SystemExit("strace wrote no counts")
        time.sleep(0.05)
    return {name: int(count) for name, count in re.findall(r"^ *(\w+) +(\d+)$", counts.read_text(), re.M)}


def system_calls():
    for title, in_flight in (("one request at a time", 1), ("16 at a time", 16)):
        calls = difference(lambda requests: traced(requests, in_flight), few=320, many=1600)
        total = calls.pop("total")
        rows = [[name, f"{count:.2f}"] for name, count in sorted(calls.items(), key=lambda one: -one[1]) if count >= 0.01]
        table(f"System calls of POST /presign, {title}", ["", "per request"], [*rows, ["all", f"{total:.2f}"]])
        yield title, total


def main():
    idle, growth = memory()
    size = STRIPPED.stat().st_size
    start = start_to_first_response(Service)
    rows = [
        ["start to first response, ms", f"{start:.1f}", "15"],
        ["PSS after one request, MiB", f"{idle / 1024:.1f}", "8"],
        [f"PSS of each of {IDLE} idle connections, bytes", f"{growth:.0f}", "200"],
        ["static binary, stripped, MB", f"{size / 1e6:.2f}", "16"]]
    if shutil.which("nginx"):
        rows.append(["start to first response of nginx, ms", f"{start_to_first_response(lambda: Nginx(BODY)):.1f}", ""])
    table("Start, memory, size", ["", "", "target"], rows)
    calls = {}
    if shutil.which("strace"):
        calls = dict(system_calls())
    else:
        print("  MISSING: strace, so system calls are not counted")
    save("footprint", {"start": start, "idle": idle, "growth": growth, "size": size, "calls": calls})


main()
