"""Requests per second and CPU time per request, compared with nginx returning a fixed 200 of the same size."""

import os
import pathlib
import re
import subprocess

from harness import WORK, Client, Nginx, Service, get, median, save, table

ROUNDS, SECONDS = 5, 2
IDLE = 9000
SCRIPT = pathlib.Path(__file__).with_name("request.lua")


def load(server, connections, request):
    """Runs wrk; returns CPU time per request in µs, requests per second, latencies in µs, and failures."""
    environment = {"PATH": os.environ["PATH"], **{"REQUEST_" + name.upper(): value for name, value in request.items()}}
    server.empty_log()
    before = server.cpu()
    output = subprocess.run(
        ["wrk", "-t1", f"-c{connections}", f"-d{SECONDS}s", "--timeout", "10s", "-s", SCRIPT,
         f"http://127.0.0.1:{server.port}"], env=environment, capture_output=True, text=True, check=True).stdout
    spent = server.cpu() - before
    figures = {name: float(value) for name, value in re.findall(r"^figure (\w+) ([\d.]+)$", output, re.M)}
    requests = figures["requests"]
    if requests == 0:
        raise SystemExit(f"no request succeeded: {output}")
    return {"cpu": spent / requests * 1e6, "rate": requests / figures["microseconds"] * 1e6,
            "p50": figures["p50"], "p99": figures["p99"], "failures": figures["failures"]}


def compare(servers, connections, request):
    """Runs interleaved rounds in rotating order; returns the runs of each server."""
    runs = {name: [] for name in servers}
    order = list(servers)
    for _ in range(ROUNDS):
        order.append(order.pop(0))
        for name in order:
            runs[name].append(load(servers[name], connections, request))
    return runs


def ratios(runs, ours, other, figure):
    return median([one[figure] / two[figure] for one, two in zip(runs[ours], runs[other])])


HEAD = ["", "connections", "CPU ratio", "target", "rate ratio", "requests/s", "nginx's", "µs CPU", "nginx's", "p99 µs",
        "nginx's", "failures"]


def row(title, connections, runs, target):
    figure = lambda name, key: median([run[key] for run in runs[name]])
    failures = sum(run["failures"] for name in runs for run in runs[name])
    return [title, connections, f"{ratios(runs, 'presign', 'nginx', 'cpu'):.2f}", target,
            f"{ratios(runs, 'presign', 'nginx', 'rate'):.2f}",
            *(f"{figure(name, 'rate'):.0f}" for name in runs), *(f"{figure(name, 'cpu'):.2f}" for name in runs),
            *(f"{figure(name, 'p99'):.0f}" for name in runs), f"{failures:.0f}"]


def presigning(service):
    post = {"method": "POST", "path": "/presign", "key": service.key, "body_file": str(WORK / "body")}
    rows, kept = [], {}
    with Nginx(service.response()) as nginx:
        servers = {"presign": service, "nginx": nginx}
        for connections in (16, 64, 256):
            runs = kept[str(connections)] = compare(servers, connections, post)
            rows.append(row("keep-alive", connections, runs, "1.30"))
        runs = kept["close"] = compare(servers, 32, post | {"close": "1"})
        rows.append(row("one request each", 32, runs, "0.90"))
    table("POST /presign, compared with nginx `return 200` of the same size", HEAD, rows)
    return kept


def engine(service):
    with Client(service.port) as client:
        body = client.exchange(get("/healthz"))[1]
    with Nginx(body) as nginx:
        runs = compare({"presign": service, "nginx": nginx}, 64, {"method": "GET", "path": "/healthz"})
    table("GET /healthz: the server without signing", HEAD, [row("keep-alive", 64, runs, "")])
    return runs


def idle(busy):
    """Measures 32 active connections, alone and with 9,000 idle ones."""
    with Service() as crowded:
        clients = []
        try:
            for _ in range(IDLE):
                clients.append(Client(crowded.port))
                clients[-1].exchange(crowded.request())
            kept = {"alone": [], "crowded": []}
            for turn in range(2 * ROUNDS):
                name, server = (("alone", busy), ("crowded", crowded))[(turn + turn // 2) % 2]
                kept[name].append(load(server, 32, {
                    "method": "POST", "path": "/presign", "key": server.key, "body_file": str(WORK / "body")}))
        finally:
            for client in clients:
                client.close()
    ratio = lambda figure: f"{ratios(kept, 'crowded', 'alone', figure):.2f}"
    table(f"32 active connections with {IDLE} idle ones, relative to without", ["", "ratio", "target"],
          [["CPU per request", ratio("cpu"), "1.05"], ["requests/s", ratio("rate"), "0.95"]])
    return kept


def main():
    from harness import BODY
    (WORK / "body").write_bytes(BODY)
    with Service() as service:
        service.response()
        save("serving", {"presign": presigning(service), "healthz": engine(service), "idle": idle(service)})


main()
