#!/usr/bin/env python3
"""Runs the embedded storage on a disk that fails, and kills it at any operation. A seed decides what happens.

usage: PRESIGN_BINARY=FILE simulate.py [--seed N | --seeds COUNT | --minutes M] [--ignore files|directories]

What the storage has confirmed must be there after each restart, and every object must be one whole content that a client
has sent. `--ignore` makes fsync of files or of directories do nothing, to see that the loss is found. See disk.c.
"""
import argparse
import configparser
import http.client
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE.parent.parent / "storage"))
from s3_request import signed_headers  # noqa: E402

KEYS = [f"key{number}" for number in range(5)]
LIVES = 4


class Ended(Exception):
    """The storage does not respond: it was killed."""


class Violation(Exception):
    pass


class Storage:
    """One life of the storage."""

    def __init__(self, folder, environment):
        self.log = open(folder / "log", "ab")
        self.start = self.log.tell()
        self.process = subprocess.Popen(
            [os.environ["PRESIGN_BINARY"], "serve", "--local", str(folder / "data"), "--listen",
             f"unix:{folder}/socket", "--local-listen", "127.0.0.1:0"],
            stdout=self.log, stderr=self.log, env=os.environ | environment)
        self.is_ready = self.wait()

    def wait(self):
        deadline = time.monotonic() + 30
        while self.process.poll() is None and time.monotonic() < deadline:
            listening = re.search(rb'"address":"127.0.0.1:(\d+)","event":"storage-listening"', self.output())
            if listening:
                self.port = int(listening[1])
                return True
            time.sleep(0.002)
        return False

    def output(self):
        with open(self.log.name, "rb") as log:
            log.seek(self.start)
            return log.read()

    def send(self, method, path, query="", body=b"", **headers):
        host = f"127.0.0.1:{self.port}"
        signed = signed_headers("s3", method, host, path, query, body) | headers
        connection = http.client.HTTPConnection(host, timeout=30)
        try:
            connection.request(method, path + ("?" + query if query else ""), body, signed)
            response = connection.getresponse()
            return response.status, response.read()
        except (OSError, http.client.HTTPException) as error:
            raise Ended from error
        finally:
            connection.close()

    def end(self):
        self.process.kill()
        self.process.wait(30)
        self.log.close()


class Client:
    """What a client knows: for each key the contents that may be there. None means no object."""

    def __init__(self, seed, folder):
        self.random = random.Random(seed)
        self.folder = folder
        self.possible = {key: {None} for key in KEYS}
        self.parts = {}  # The confirmed parts by upload id, with the key.
        self.history = []

    def note(self, text):
        self.history.append(text)

    def content(self):
        size = self.random.choice([0, 1, 100, 5000, 70_000, 300_000])
        return self.random.randbytes(size)

    def act(self, storage):
        kind = self.random.choices(["put", "delete", "get", "create", "part", "complete", "abort"],
                                   [6, 2, 2, 2, 5, 3, 1])[0]
        getattr(self, kind)(storage, self.random.choice(KEYS))

    def change(self, storage, key, content, *request, accepts=(200,), **headers):
        """Sends a request that makes `content` the object. Without a confirmation, the old one may stay."""
        self.possible[key].add(content)
        status, text = storage.send(*request, **headers)
        self.note(f"{request[0]} {request[1]} {request[2] if len(request) > 2 else ''}: {status}")
        if status in accepts and b"<Error>" not in text:
            self.possible[key] = {content}
        elif status < 500:
            raise Violation(f"{request[0]} {key} gets {status}: {text[:300]}")
        return status

    def put(self, storage, key):
        content = self.content()
        self.change(storage, key, content, "PUT", f"/local/{key}", "", content)

    def delete(self, storage, key):
        self.change(storage, key, None, "DELETE", f"/local/{key}", accepts=(204,))

    def get(self, storage, key):
        status, body = storage.send("GET", f"/local/{key}")
        if status >= 500 and b"InternalError" in body and b"damaged" not in body:
            return
        found = None if status == 404 else body
        if status not in (200, 404) or found not in self.possible[key]:
            sizes = [None if one is None else len(one) for one in self.possible[key]]
            raise Violation(f"GET {key}: {status} with {len(body)} bytes; possible are {sizes}; {body[:200]!r}")

    def create(self, storage, key):
        status, body = storage.send("POST", f"/local/{key}", "uploads=")
        self.note(f"create {key}: {status}")
        if status == 200:
            self.parts[re.search(rb"<UploadId>(.*?)</UploadId>", body)[1].decode()] = (key, {})

    def part(self, storage, _):
        if not self.parts:
            return
        upload = self.random.choice(sorted(self.parts))
        key, parts = self.parts[upload]
        number, content = self.random.randint(1, 3), self.random.randbytes(5 * 1024 * 1024 // 64)
        old = parts.pop(number, None)
        status, body = storage.send("PUT", f"/local/{key}", f"partNumber={number}&uploadId={upload}", content)
        self.note(f"part {number} of {upload}: {status}")
        if status == 200:
            parts[number] = content
        elif status < 500:
            raise Violation(f"part {number} of {upload} gets {status}: {body[:300]}, before {old is not None}")

    def complete(self, storage, _):
        # Parts below 5 MiB may only be the last one, so one part is an upload.
        ready = [upload for upload, (_, parts) in sorted(self.parts.items()) if parts]
        if not ready:
            return
        upload = self.random.choice(ready)
        key, parts = self.parts[upload]
        number = self.random.choice(sorted(parts))
        _, listed = storage.send("GET", f"/local/{key}", f"uploadId={upload}")
        found = re.search(rb"<PartNumber>%d</PartNumber>.*?<ETag>(.*?)</ETag>" % number, listed, re.DOTALL)
        if not found:
            if b"InternalError" in listed:
                return
            raise Violation(f"part {number} of {upload} is lost: {listed[:300]}")
        body = (f"<CompleteMultipartUpload><Part><PartNumber>{number}</PartNumber>"
                f"<ETag>{found[1].decode()}</ETag></Part></CompleteMultipartUpload>").encode()
        content = parts[number]
        del self.parts[upload]
        self.change(storage, key, content, "POST", f"/local/{key}", f"uploadId={upload}", body)

    def abort(self, storage, _):
        if not self.parts:
            return
        upload = self.random.choice(sorted(self.parts))
        key, _ = self.parts.pop(upload)
        status, _ = storage.send("DELETE", f"/local/{key}", f"uploadId={upload}")
        self.note(f"abort {upload}: {status}")

    def check(self, storage):
        """Reads everything. After a restart, what is there stays there."""
        for key in KEYS:
            status, body = storage.send("GET", f"/local/{key}")
            self.note(f"read {key}: {status}, {len(body)} bytes")
            found = None if status == 404 else body
            if status not in (200, 404) or found not in self.possible[key]:
                sizes = [None if one is None else len(one) for one in self.possible[key]]
                raise Violation(f"after a restart, GET {key}: {status}, {len(body)} bytes; possible are {sizes}")
            self.possible[key] = {found}
        for upload, (key, parts) in sorted(self.parts.items()):
            status, listed = storage.send("GET", f"/local/{key}", f"uploadId={upload}")
            for number in parts:
                if b"<PartNumber>%d</PartNumber>" % number not in listed:
                    raise Violation(f"after a restart, part {number} of {upload} is lost: {status} {listed[:200]}")


def credentials(folder):
    parser = configparser.ConfigParser()
    parser.read(folder / "data/credentials")
    section = parser[parser.sections()[0]]
    os.environ["ACCESS_KEY"], os.environ["SECRET"] = section["aws_access_key_id"], section["aws_secret_access_key"]


def fault(client, library, folder, ignored):
    """Returns the settings of disk.c for one life."""
    mode = client.random.choice(["power", "power", "power", "kill", "error", "full", "none"])
    stop = int(3 * 100 ** client.random.random())
    spare = folder / "spare"
    shutil.rmtree(spare, ignore_errors=True)
    spare.mkdir()
    client.note(f"--- a life with the fault {mode} at operation {stop}")
    settings = {
        "LD_PRELOAD": str(library), "DISK_ROOT": str(folder / "data"), "DISK_SPARE": str(spare), "DISK_MODE": mode,
        "DISK_STOP": "-1" if mode == "none" else f"{stop}", "DISK_SEED": f"{client.random.randrange(1 << 30)}",
    }
    return settings | ({"DISK_IGNORE": ignored} if ignored else {})


def run(seed, library, ignored):
    """Returns the history of a violation, or None."""
    folder = pathlib.Path(tempfile.mkdtemp(prefix="presign-disk-"))
    client = Client(seed, folder)
    storage = Storage(folder, {})
    try:
        if not storage.is_ready:
            raise Violation("the storage does not start: " + (folder / "log").read_text()[-500:])
        credentials(folder)
        storage.end()
        for _ in range(LIVES):
            storage = Storage(folder, fault(client, library, folder, ignored))
            try:
                for _ in range(40 if storage.is_ready else 0):
                    client.act(storage)
            except Ended:
                client.note("the storage ends")
            storage.end()
            storage = Storage(folder, {})
            if not storage.is_ready:
                raise Violation("the storage does not start again: " + (folder / "log").read_text()[-500:])
            client.check(storage)
            storage.end()
        return None
    except Violation as violation:
        return "\n".join(client.history + [f"seed {seed}: {violation}"])
    except Ended:
        return "\n".join(client.history + [f"seed {seed}: the storage ends without a fault"])
    finally:
        storage.end()
        shutil.rmtree(folder, ignore_errors=True)


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    for name in ("--seed", "--seeds", "--minutes", "--ignore"):
        parser.add_argument(name)
    options = parser.parse_args()
    first, count, end = 1, int(options.seeds or 20), float("inf")
    if options.seed:
        first, count = int(options.seed), 1
    if options.minutes:
        first, count, end = int(time.time()), 1 << 40, time.monotonic() + 60 * float(options.minutes)
    with tempfile.TemporaryDirectory() as work:
        library = pathlib.Path(work) / "disk.so"
        subprocess.run(["clang", "-O2", "-fPIC", "-shared", "-Wall", "-Wextra", "-Werror", "-o", library,
                        HERE / "disk.c"], check=True)
        seed, start = first, time.monotonic()
        while seed < first + count and time.monotonic() < end:
            history = run(seed, library, options.ignore)
            if history:
                sys.exit(f"{history}\nReplay it: Tests/simulate.sh store --seed {seed}")
            seed += 1
        print(f"the local storage: seeds {first} to {seed - 1} in {time.monotonic() - start:.0f} s, no violation")


if __name__ == "__main__":
    main()
