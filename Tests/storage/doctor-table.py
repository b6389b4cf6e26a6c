#!/usr/bin/env python3
"""Runs `presign doctor` on S3 servers and writes what it found into the guide: Configuration.md, "What storages enforce".

usage: doctor-table.py                                          every server that start.sh can start
       doctor-table.py --add NAME VERSION BUCKET REGION [ENDPOINT]    another storage, such as AWS, R2, B2, Ceph or
                                                                Garage, with the credentials of the environment
       doctor-table.py --check                                  fails if page, doctor.json and install.sh differ

doctor.json beside this file has the results of the last run of each storage. --add writes below `presign-doctor/` in the
bucket and removes it; give `-` as the version of a hosted storage. PRESIGN_BINARY is the program (default: the release
build).
"""
import datetime
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
RESULTS = HERE / "doctor.json"
PAGE = ROOT / "Sources/presign/presign.docc/Configuration.md"
MARK = "<!-- table of Tests/storage/doctor-table.py -->"
BINARY = os.environ.get("PRESIGN_BINARY") or str(ROOT / ".build/release/presign")

SERVERS = {"local": "local storage", "seaweedfs": "SeaweedFS", "swift": "OpenStack Swift (`s3api`)",
           "rclone": "rclone (`serve s3`)", "moto": "moto"}
# The title of each column and its checks; the first one matters most.
COLUMNS = [
    ("unsigned `x-amz-copy-source` refused", ["x-amz-copy-source", "part-copy-source"]),
    ("other unsigned headers refused", ["x-amz-acl", "x-amz-meta", "x-amz-tagging"]),
    ("signature, type and length verified",
     ["signature", "method", "key", "query", "expiry", "content-type", "size", "part-size"]),
    ("`checksum`", ["checksum", "part-checksum"]),
    ("`overwrite: false`", ["create-only", "complete-create-only"]),
    ("upload ids bound", ["upload-id"]),
    ("HTML forms", ["form", "form-size", "form-field"]),
    ("size declared at completion", ["total-size"]),
]
RULES = """
auth: {guest: true}
limits: {perGuest: 60/m}
rules:
  - path: "**"
    allow: {everyone: [read, write, delete, multipart]}
    write: {types: [image/*], maxSize: 100m, checksum: sha256, overwrite: false, set: {metadata: {a: b}}}
    multipart: {partSize: 64m}
"""


def doctor(storage, version, store, environment):
    """Runs doctor on a store and returns a row."""
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder, "presign.yaml")
        file.write_text(f"version: 1\nstores: {{main: {json.dumps(store)}}}\n{RULES}")
        run = subprocess.run([BINARY, "doctor", "--config", file, "--json"], env=environment, capture_output=True, text=True)
    found = {one["check"]: one for one in map(json.loads, run.stdout.splitlines()) if "check" in one}
    if run.returncode not in (0, 1, 3) or found.get("put", {}).get("result") != "enforced":
        sys.exit(f"{storage}: doctor could not upload: {found.get('put', {}).get('detail', '')}\n{run.stderr}")
    results = {check: found[check]["result"] for _, checks in COLUMNS for check in checks}
    date = datetime.datetime.now(datetime.timezone.utc).date().isoformat()
    return {"storage": storage, "version": version, "date": date, "results": results}


def of_server(kind, port):
    """Starts a server of the tests and returns its row."""
    with tempfile.TemporaryDirectory() as folder:
        start = subprocess.run(
            [HERE / "start.sh", kind, str(port), f"{folder}/{kind}"], env=os.environ | {"PRESIGN_BINARY": BINARY},
            stdout=subprocess.PIPE, text=True, check=True)
        try:
            setting = dict(line.split("=", 1) for line in start.stdout.splitlines() if "=" in line)
            store = {"bucket": setting["BUCKET"], "region": setting["REGION"], "endpoint": setting["ENDPOINT"]}
            keys = {"AWS_ACCESS_KEY_ID": setting["ACCESS_KEY"], "AWS_SECRET_ACCESS_KEY": setting["SECRET"]}
            return doctor(SERVERS[kind], setting["VERSION"], store, keys)
        finally:
            subprocess.run([HERE / "stop.sh", f"{folder}/{kind}"], check=True)


def cell(results, checks):
    failed = [check for check in checks if results[check] != "enforced"]
    if not failed:
        return "yes"
    if len(failed) == len(checks):
        return "not possible" if all(results[check] == "not possible" for check in checks) else "**no**"
    return "not " + ", ".join(f"`{check}`" for check in failed)


def page(text, rows):
    """The page with the current table."""
    table = ["| storage | version | run | " + " | ".join(title for title, _ in COLUMNS) + " |",
             "|---" * (3 + len(COLUMNS)) + "|"]
    for row in rows:
        cells = [cell(row["results"], checks) for _, checks in COLUMNS]
        table.append("| " + " | ".join([row["storage"], row["version"], row["date"], *cells]) + " |")
    head, rest = text.split(MARK + "\n")
    return head + MARK + "\n" + "\n".join(table) + "\n" + re.sub(r"\A(\|.*\n)*", "", rest)


def check(rows):
    if PAGE.read_text() != page(PAGE.read_text(), rows):
        sys.exit(f"{PAGE.name} differs from {RESULTS.name}; run Tests/storage/doctor-table.py")
    pinned = dict(re.findall(r"^    (\w+):1\) set -- \S+ \S+==([\w.]+)", (HERE / "install.sh").read_text(), re.MULTILINE))
    versions = {row["storage"]: row["version"] for row in rows}
    if set(pinned) | {"local"} != set(SERVERS):
        sys.exit("SERVERS of doctor-table.py differs from the servers of install.sh")
    for kind, version in pinned.items():
        if versions.get(SERVERS[kind]) != version:
            sys.exit(f"{RESULTS.name} has {SERVERS[kind]} {versions.get(SERVERS[kind])}, install.sh has {version}")


def main():
    rows = json.loads(RESULTS.read_text()) if RESULTS.exists() else []
    match sys.argv[1:]:
        case ["--check"]:
            return check(rows)
        case []:
            new = [of_server(kind, 26000 + 16 * index) for index, kind in enumerate(SERVERS)]
        case ["--add", name, version, bucket, region, *endpoint] if len(endpoint) < 2:
            store = {"bucket": bucket, "region": region} | ({"endpoint": endpoint[0]} if endpoint else {})
            new = [doctor(name, version, store, dict(os.environ))]
        case _:
            sys.exit(__doc__)
    names = [row["storage"] for row in new]
    rows = new + [row for row in rows if row["storage"] not in names]
    order = list(SERVERS.values())
    rows.sort(key=lambda row: (order.index(row["storage"]) if row["storage"] in order else len(order), row["storage"]))
    RESULTS.write_text(json.dumps(rows, indent=1, ensure_ascii=False) + "\n")
    PAGE.write_text(page(PAGE.read_text(), rows))
    print(f"{', '.join(names)}: written to {RESULTS.name} and {PAGE.name}")


main()
