"""Counts the instructions and allocations of signing one URL, of one POST /presign, of one item of a batch, of one use
of a share link, and of one upload with a link.

Valgrind's counts do not depend on the load of the machine, so a figure more than 3 % above its budget fails the
benchmark. Valgrind does not support the CPU's SHA instructions, so OpenSSL falls back to a compression function of about 1,927
instructions, which is reported separately.
"""

import pathlib
import os
import subprocess
import sys

from callgrind import parse
from harness import GET, PUT, SYMBOLS, WORK, Client, Service, difference, save, table

COMPRESSION = 1927
# The figures of the present code, SHA-256 excluded; also in Performance.md of the guide. Lower one when the code gets
# better; raise one only with the reason in the commit.
BUDGETS = {
    "signing": {"instructions": 4950, "allocations": 1},
    "GET": {"instructions": 43550, "allocations": 5},
    "PUT": {"instructions": 99650, "allocations": 36},
    "batch item": {"instructions": 28720, "allocations": 3.4},
    "share link": {"instructions": 67350, "allocations": 27},
    "link upload": {"instructions": 66550, "allocations": 21},
}
TOLERANCE = 1.03
# The items of a batch.
ITEMS = 100
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


def send(service, requests, message, at_once=1):
    """Sends requests over one connection, `at_once` pipelined at a time."""
    with service, Client(service.port) as client:
        text = message(service)
        for _ in range(requests // at_once):
            client.send(text * at_once)
            for _ in range(at_once):
                head, body = client.receive()
                if not head.startswith((b"HTTP/1.1 200", b"HTTP/1.1 307")) or b'"error"' in body:
                    raise SystemExit(f"the service responded {head!r} {body!r}")


def request(name, message, share=1, few=200, many=1200):
    """Returns the costs of one request, or of the `share`-th part of it, and prints them."""
    def instructions(count):
        service = Service([*CALLGRIND, "--callgrind-out-file=callgrind.out"], binary=SYMBOLS, loops=1)
        send(service, count, message)
        return parse(pathlib.Path(service.folder, "callgrind.out"))

    def allocations(count):
        service = Service(loops=1, LD_PRELOAD=str(WORK / "counters.so"), ALLOCATIONS="allocations")
        # Pipelined, so that the allocations of log writes, one per 5 ms, are shared by many requests.
        send(service, count, message, at_once=16)
        return {"allocations": int(pathlib.Path(service.folder, "allocations").read_text())}

    costs = {function: cost / share for function, cost in difference(instructions, few, many).items()}
    total, hashing = sum(costs.values()), sha(costs)
    count = difference(allocations, 320, 1600 if share == 1 else 480)["allocations"] / share
    table(f"{name}, user space", ["", ""], [
        ["instructions", f"{total:.0f}"], ["of SHA-256", f"{hashing:.0f}"],
        ["compressions", f"{hashing / COMPRESSION:.0f}"], ["without", f"{total - hashing:.0f}"],
        ["allocations", f"{count:.2f}"]])
    top = sorted(costs.items(), key=lambda one: -one[1])[:int(os.environ.get("FUNCTIONS", "16"))]
    table("The functions with the highest exclusive cost", ["", "instructions", ""],
          [[name[:100], f"{cost:.0f}", library.rsplit("/", 1)[-1]] for (library, name), cost in top])
    return {"instructions": total - hashing, "sha": hashing, "allocations": count,
            "functions": [[cost, name] for (_, name), cost in top]}


def exceeded(figures):
    """Returns a line for each figure above its budget. Rounds allocations that only some requests need to 0."""
    lines = []
    for name, budget in BUDGETS.items():
        for kind, limit in budget.items():
            measured = round(figures[name][kind], 1)
            print(f"{name}, {kind}: {measured:g}, budget {limit}")
            if measured > limit * TOLERANCE:
                lines.append(f"EXCEEDED: {name}, {kind}: {measured:g}, budget {limit} and 3 %")
    return lines


kept = core()
total, hashing, allocations = kept["standing presign"]
figures = {
    "core": kept,
    "signing": {"instructions": total - hashing, "allocations": allocations},
    "GET": request("One POST /presign for GET", lambda service: service.request(GET)),
    "PUT": request("One POST /presign for PUT with type, length, checksum and metadata",
                   lambda service: service.request(PUT)),
    "batch item": request(f"One URL of a batch of {ITEMS}",
                          lambda service: service.request({"requests": [GET] * ITEMS}, "/presign/batch"),
                          share=ITEMS, few=20, many=60),
    "share link": request("One use of a share link", lambda service: service.use()),
    "link upload": request("One PUT /o/PATH with type and length", lambda service: service.upload()),
}
save("instructions", figures)
print()
sys.exit("\n".join(exceeded(figures)) or None)
