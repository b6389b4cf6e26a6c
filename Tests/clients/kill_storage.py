"""Kills the local storage while boto3 writes to it, and checks after each restart that nothing confirmed is lost.

usage: kill_storage.py PROGRAM KILLS

The storage restarts on the same port at once, and half of the clients retry, so requests that a kill has ended are sent
again to the restarted storage. During the second half of the kills another program uses a core. Only one client writes
an object, one request at a time. After a loss, prints the attempts of that client and keeps the storage's files.

A 200 counts only if the storage sent it. While the storage is down, another program can take its port; to boto3 any 200
is a confirmation. So the port stays reserved, and each response must name the storage and its content.
"""
import collections
import hashlib
import os
import pathlib
import random
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

import boto3
from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError

BUCKET = "local"
CLIENTS = 6


def md5(content):
    return hashlib.md5(content).hexdigest()


class Violation(Exception):
    pass


class Storage:
    """The storage in a folder, life after life."""

    def __init__(self, program, folder):
        # Without listening, this reserves the port: the kernel does not choose it for another program or connection.
        self.reservation = socket.socket()
        self.reservation.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self.reservation.bind(("127.0.0.1", 0))
        self.port = self.reservation.getsockname()[1]
        self.folder = folder
        self.command = [program, "serve", "--local", str(folder / "data"), "--listen", f"unix:{folder}/socket",
                        "--local-listen", f"127.0.0.1:{self.port}"]
        self.log = open(folder / "log", "ab")
        self.life = 0
        self.confirmed = threading.Event()

    def start(self):
        self.confirmed.clear()
        self.process = subprocess.Popen(self.command, stdout=self.log, stderr=self.log)
        deadline = time.monotonic() + 60
        while True:
            try:
                socket.create_connection(("127.0.0.1", self.port), 1).close()
                break
            except OSError:
                if self.process.poll() is not None or time.monotonic() > deadline:
                    raise Violation("the storage does not start: " + (self.folder / "log").read_text()[-500:])
                time.sleep(0.002)
        self.life += 1

    def end(self, number):
        self.process.send_signal(number)
        self.process.wait(60)

    def client(self, retries):
        text = (self.folder / "data/credentials").read_text()
        identifier, secret = re.findall(r"= *(\S+)", text)[:2]
        config = Config(retries={} if retries else {"total_max_attempts": 1})
        return boto3.session.Session().client(
            "s3", endpoint_url=f"http://127.0.0.1:{self.port}", region_name="us-east-1", config=config,
            aws_access_key_id=identifier, aws_secret_access_key=secret)


class Client(threading.Thread):
    """Writes objects that no other client writes."""

    def __init__(self, number, storage):
        super().__init__(daemon=True)
        self.storage = storage
        self.s3 = storage.client(retries=number % 2 == 0)
        self.s3.meta.events.register("before-send.s3", self.before)
        self.s3.meta.events.register("response-received.s3", self.after)
        # The digests of the contents that each object may have; None means no object.
        self.possible = {f"client{number}/key{index}": {None} for index in range(4)}
        self.random = random.Random()
        self.history = collections.deque(maxlen=400)
        self.counts = collections.Counter()
        self.is_ending = False
        self.violation = None

    def note(self, *words):
        self.history.append(f"{time.time() % 10000:.4f} life {self.storage.life}: " + " ".join(map(str, words)))

    def before(self, request, **_):
        self.note("  sends", request.method, request.url)

    def after(self, response_dict, exception, **_):
        if exception is not None:
            self.note("  gets", repr(exception)[:200])
            return
        headers = response_dict["headers"]
        self.note("  gets", response_dict["status_code"], headers.get("x-amz-request-id"), headers.get("etag"))
        if headers.get("server") != "presign-local":
            raise Violation(f"another program listens on the port of the storage: {dict(headers)}")

    def run(self):
        seen = 0
        try:
            while not self.is_ending:
                life = self.storage.life
                try:
                    if life != seen:
                        self.verify()
                    seen = life
                    self.act()
                except BotoCoreError:
                    # Reads first, until the storage responds again.
                    seen = 0
                    time.sleep(0.005)
        except Exception as error:  # Also a mistake in this program must end the run.
            self.violation = error
            self.storage.confirmed.set()  # Nothing more will come.

    def verify(self):
        """Reads all objects. What is there stays there."""
        for key in self.possible:
            try:
                found = md5(self.s3.get_object(Bucket=BUCKET, Key=key)["Body"].read())
            except ClientError as error:
                if error.response["Error"]["Code"] != "NoSuchKey":
                    raise
                found = None
            self.note("reads", key, found)
            if found not in self.possible[key]:
                raise Violation(f"{key} has {found}; possible are {self.possible[key]}")
            self.possible[key] = {found}

    def act(self):
        """Changes an object. Without a confirmation, the old one may stay."""
        key, others = self.random.choice(list(self.possible)), dict(self.possible)
        old = others.pop(key)
        size = self.random.choice([0, 10, 70_000, 900_000])
        content = (f"{key} {self.random.getrandbits(64)} ".encode() * (size // 20 + 1))[:size]
        changes = [self.put, self.multipart, self.delete, self.delete_list, self.copy]
        change, argument, new = self.random.choices(changes, [6, 3, 1, 1, 2])[0], content, md5(content)
        if change in (self.delete, self.delete_list):
            new = None
        if change == self.copy:
            sources = [(one, *has) for one, has in others.items() if len(has) == 1 and has != {None}]
            if not sources:
                return
            argument, new = self.random.choice(sources)
        self.note(change.__name__, key, new, "after", old)
        self.possible[key] = old | {new}
        try:
            change(key, argument)
        except ClientError as error:
            metadata = error.response["ResponseMetadata"]
            # The first attempt has completed the upload if the kill came between that and its response.
            repeated = error.response["Error"]["Code"] == "NoSuchUpload" and metadata["RetryAttempts"] > 0
            if metadata["HTTPStatusCode"] < 500 and not repeated:
                raise Violation(f"{change.__name__} {key}: {error}") from error
            self.counts["unknown"] += 1
        except BotoCoreError as error:
            self.note("is not confirmed:", repr(error)[:200])
            self.counts["unknown"] += 1
            raise
        else:
            self.note("is confirmed")
            self.possible[key] = {new}
            self.counts["confirmed"] += 1
            self.storage.confirmed.set()

    def expect(self, response, entity_tag):
        self.counts["retried"] += response["ResponseMetadata"]["RetryAttempts"] > 0
        if response["ETag"] != f'"{entity_tag}"':
            raise Violation(f"the response is that to another request: {response}; expected {entity_tag}")

    def put(self, key, content):
        self.expect(self.s3.put_object(Bucket=BUCKET, Key=key, Body=content), md5(content))

    def multipart(self, key, content):
        upload = {"Bucket": BUCKET, "Key": key}
        upload["UploadId"] = self.s3.create_multipart_upload(**upload)["UploadId"]
        tag = self.s3.upload_part(**upload, PartNumber=1, Body=content)["ETag"]
        parts = {"Parts": [{"PartNumber": 1, "ETag": tag}]}
        response = self.s3.complete_multipart_upload(**upload, MultipartUpload=parts)
        self.expect(response, md5(hashlib.md5(content).digest()) + "-1")

    def copy(self, key, source):
        response = self.s3.copy_object(Bucket=BUCKET, Key=key, CopySource=f"{BUCKET}/{source}")
        self.expect(response | response["CopyObjectResult"], *self.possible[source])

    def delete(self, key, _):
        self.s3.delete_object(Bucket=BUCKET, Key=key)

    def delete_list(self, key, _):
        self.s3.delete_objects(Bucket=BUCKET, Delete={"Objects": [{"Key": key}]})


def check(clients):
    for client in clients:
        if client.violation:
            raise Violation("\n".join([*client.history, repr(client.violation)])) from client.violation


def kill(storage, clients, kills):
    """Kills the storage, restarts it, and returns once clients have written to it again."""
    for number in range(kills):
        time.sleep(random.uniform(0, 0.2))
        storage.end(signal.SIGKILL)
        storage.start()
        if not storage.confirmed.wait(60):
            raise Violation("no write is confirmed within 60 s")
        check(clients)
        if number % 100 == 99:
            print(f"{number + 1} of {kills} kills", flush=True)


def run(storage, kills):
    storage.start()
    clients = [Client(number, storage) for number in range(CLIENTS)]
    for client in clients:
        client.start()
    kill(storage, clients, (kills + 1) // 2)
    busy = subprocess.Popen([sys.executable, "-c", "while True: pass"])
    try:
        kill(storage, clients, kills // 2)
    finally:
        busy.kill()
        busy.wait()
    for client in clients:
        client.is_ending = True
    for client in clients:
        client.join()
    check(clients)
    for client in clients:
        client.verify()
    present = {key for client in clients for key, has in client.possible.items() if has != {None}}
    listed = {one["Key"] for one in clients[0].s3.list_objects_v2(Bucket=BUCKET).get("Contents", [])}
    if listed != present:
        raise Violation(f"listed are {listed}, but present are {present}")
    storage.end(signal.SIGTERM)
    if unfinished := os.listdir(storage.folder / "data/incoming"):
        raise Violation(f"files are left in incoming: {unfinished}")
    return sum((client.counts for client in clients), collections.Counter())


def main():
    program, kills = sys.argv[1], int(sys.argv[2])
    folder, start = pathlib.Path(tempfile.mkdtemp(prefix="presign-kills-")), time.monotonic()
    storage = Storage(program, folder)
    try:
        counts = run(storage, kills)
    except Violation as violation:
        sys.exit(f"{violation}\nThe files of the storage are in {folder}")
    finally:
        storage.process.kill()
    shutil.rmtree(folder)
    print(f"{kills} kills in {time.monotonic() - start:.0f} s, nothing lost: {dict(counts)}")


main()
