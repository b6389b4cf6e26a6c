"""Counts the instructions and allocations of signing one URL and of one POST /presign.

Valgrind's counts do not depend on the load of the machine, so a figure above its target fails the benchmark. Valgrind
does not support the CPU's SHA instructions, so OpenSSL falls back to a compression function of about 1,927
instructions, which is reported separately.
"""

import pathlib
import os
import subprocess
import sys

from callgrind import parse
from harness import BUILD, SYMBOLS, WORK, Client, Service, difference, save, table

COMPRESSION = 1927
# Maxima, SHA-256 excluded; also in Performance.md of the guide.
TARGETS = {"instructions of signing": 3500, "allocations of signing": 1, "allocations of a request": 0}
CALLGRIND = ["valgrind", "--tool=callgrind", "--collect-jumps=no"]


def sha(costs):
    """Returns the instructions of OpenSSL's compression function, including callers that tail-call it. It has no symbol
    and is the most expensive function of libcrypto."""
    inside = {function: cost for (library, function), cost in costs.items() if "libcrypto" in library}
    jumping = inside.pop("SHA256_Transform", 0)
    return max(inside.values(), default=0) + jumping


def signing(command, kind):
    def instructions(count):
        out = WORK / "callgrind.out"
        subprocess.run([*CALLGRIND, f"--callgrind-out-file={out}", *command, kind, str(count)],
                       check=True, capture_output=True)
        return parse(out)

    def allocations(count):
        out = WORK / "allocations"
        subprocess.run([*command, kind, str(count)], check=True,
                       env=os.environ | {"LD_PRELOAD": str(WORK / "counters.so"), "ALLOCATIONS": str(out)})
        return {"allocations": int(out.read_text())}

    costs = difference(instructions, 1000, 3000)
    return sum(costs.values()), sha(costs), difference(allocations, 1000, 3000)["allocations"]


def core():
    commands = {"presign": [WORK / "signing-symbols"], "C, same algorithm": [WORK / "reference-plain"]}
    rows, kept = [], {}
    for kind in ("standing", "temporary"):
        for name, command in commands.items():
            total, hashing, allocations = kept[f"{kind} {name}"] = signing(command, kind)
            rows.append([f"{name}, {kind}", f"{total:.0f}", f"{hashing:.0f}", f"{hashing / COMPRESSION:.0f}",
                         f"{total - hashing:.0f}", f"{allocations:.2f}"])
    table("Signing one URL", ["", "instructions", "of SHA-256", "compressions", "without", "allocations"], rows)
    return kept


def send(service, requests, at_once=1):
    """Sends requests over one connection, `at_once` pipelined at a time."""
    with service, Client(service.port) as client:
        for _ in range(requests // at_once):
            client.send(service.request() * at_once)
            for _ in range(at_once):
                client.receive()


def request():
    def instructions(count):
        service = Service([*CALLGRIND, "--callgrind-out-file=callgrind.out"], binary=SYMBOLS, loops=1)
        send(service, count)
        return parse(pathlib.Path(service.folder, "callgrind.out"))

    def allocations(count):
        service = Service(loops=1, LD_PRELOAD=str(WORK / "counters.so"), ALLOCATIONS="allocations")
        # Pipelined, so that the allocations of log writes, one per 5 ms, are shared by many requests.
        send(service, count, at_once=16)
        return {"allocations": int(pathlib.Path(service.folder, "allocations").read_text())}

    costs = difference(instructions)
    total, hashing = sum(costs.values()), sha(costs)
    count = difference(allocations, 320, 1600)["allocations"]
    table("One POST /presign, user space", ["", "per request"], [
        ["instructions", f"{total:.0f}"], ["of SHA-256", f"{hashing:.0f}"],
        ["compressions", f"{hashing / COMPRESSION:.0f}"], ["without", f"{total - hashing:.0f}"],
        ["allocations", f"{count:.2f}"]])
    top = sorted(costs.items(), key=lambda one: -one[1])[:int(os.environ.get("FUNCTIONS", "16"))]
    table("The functions with the highest exclusive cost", ["", "instructions", ""],
          [[name[:100], f"{cost:.0f}", library.rsplit("/", 1)[-1]] for (library, name), cost in top])
    return {"instructions": total, "sha": hashing, "allocations": count,
            "functions": [[cost, name] for (_, name), cost in top]}


def missed(figures):
    """Returns a line for each figure above its target. Rounds allocations that only some requests need to 0."""
    total, hashing, allocations = figures["signing"]["standing presign"]
    measured = {"instructions of signing": total - hashing, "allocations of signing": round(allocations, 1),
                "allocations of a request": round(figures["request"]["allocations"], 1)}
    return [f"MISSED: {name}: {measured[name]:g}, target {target}"
            for name, target in TARGETS.items() if measured[name] > target]


figures = {"signing": core(), "request": request()}
save("instructions", figures)
sys.exit("\n".join(missed(figures)) or None)
