"""CPU time per signed URL of the reference request, compared with other signers."""

import os
import subprocess
import sys

from harness import BUILD, WORK, median, save, table

HERE = os.path.dirname(os.path.abspath(__file__))
ROUNDS = 7
OURS, C, GO, BOTOCORE = "presign", "C, same algorithm", "aws-sdk-go-v2, bare signer", "botocore"
#: Command, URLs per run, and the maximum ratio of presign's time to the program's.
PEERS = {
    OURS: ([BUILD / "SigningBenchmark"], 400_000, None),
    C: ([WORK / "reference"], 400_000, 1.30),
    GO: ([WORK / "gosigner"], 40_000, 1 / 15),
    BOTOCORE: ([sys.executable, HERE + "/Signing/signer.py"], 6_000, 1 / 500),
}


def seconds(command, *arguments):
    """Returns the CPU time of one run."""
    process = subprocess.Popen([str(word) for word in (*command, *arguments)])
    _, status, usage = os.wait4(process.pid, 0)
    if status != 0:
        raise SystemExit(f"{command} ended with status {status}")
    process.returncode = 0
    return usage.ru_utime + usage.ru_stime


def present():
    missing = set(filter(None, os.environ.get("PRESIGN_MISSING", "").split(",")))
    names = {"go": GO, "boto3": BOTOCORE}
    absent = {names[one] for one in missing if one in names}
    for name in absent:
        print(f"  MISSING: {name}")
    return {name: peer for name, peer in PEERS.items() if name not in absent}


def check_agreement(peers, kind):
    """Checks that all programs produce the same signature."""
    signatures = {
        name: subprocess.check_output([*command, kind, "url"], text=True).split("X-Amz-Signature=")[1][:64]
        for name, (command, _, _) in peers.items()}
    if len(set(signatures.values())) != 1:
        raise SystemExit(f"the programs disagree about the signature: {signatures}")


def measure(kind, title):
    peers = present()
    check_agreement(peers, kind)
    start = {name: median([seconds(command, kind, 0) for _ in range(3)]) for name, (command, _, _) in peers.items()}
    spent = {name: [] for name in peers}
    order = list(peers)
    for _ in range(ROUNDS):
        order.append(order.pop(0))
        for name in order:
            command, count, _ = peers[name]
            spent[name].append((seconds(command, kind, count) - start[name]) / count * 1e9)
    rows = []
    for name, (_, _, bound) in peers.items():
        ratio = median([ours / one for ours, one in zip(spent[OURS], spent[name])])
        least = min(spent[OURS]) / min(spent[name])
        show = (lambda r: f"{r:.2f}") if ratio > 0.5 else (lambda r: f"1/{1 / r:.0f}")
        target = "" if bound is None else show(bound) if bound > 0.5 else f"1/{1 / bound:.0f}"
        rows.append([name, f"{min(spent[name]):.0f}", f"{median(spent[name]):.0f}", show(least), show(ratio), target])
    table(title, ["", "ns min", "ns median", "ratio, minima", "medians", "target"], rows)
    return spent


save("signing", {
    "standing": measure("standing", "Signing one URL, long-lived credentials: CPU time"),
    "temporary": measure("temporary", "Signing one URL, session token of 362 bytes: CPU time")})
