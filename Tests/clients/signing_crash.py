"""Copies and deletes objects until the storage is killed, then checks after a restart that nothing confirmed is lost.

usage: signing_crash.py kill ENDPOINT BUCKET STATE PID MILLISECONDS
       signing_crash.py check ENDPOINT BUCKET STATE
"""
import json
import os
import signal
import sys
import threading

import boto3
from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError

mode, endpoint, bucket, path = sys.argv[1:5]
client = boto3.client("s3", endpoint_url=endpoint, config=Config(retries={"total_max_attempts": 1}))
SIZE = 1 << 20


def content(version):
    return bytes([version]) * (SIZE + version)


def work(index, state, first):
    """Copies another version or deletes, in turn. `state` is the confirmed version and the one that is being set.
    Releases `first` after the first step."""
    step = 0
    while True:
        step += 1
        version = None if step % 3 == 0 else step % 4
        state[index][1] = version
        try:
            if version is None:
                client.delete_objects(Bucket=bucket, Delete={"Objects": [{"Key": f"copy{index}"}]})
            else:
                client.copy_object(Bucket=bucket, Key=f"copy{index}", CopySource=f"{bucket}/source{version}")
        except BotoCoreError:
            return
        state[index][0] = version
        if step == 1:
            first.release()


def kill(pid, milliseconds):
    for version in range(4):
        client.put_object(Bucket=bucket, Key=f"source{version}", Body=content(version))
    state = json.load(open(path)) if os.path.exists(path) else [[None, None] for _ in range(4)]
    first = threading.Semaphore(0)
    threads = [threading.Thread(target=work, args=(index, state, first), daemon=True) for index in range(4)]
    for thread in threads:
        thread.start()
    assert all(first.acquire(timeout=60) for _ in threads), state
    threading.Timer(milliseconds / 1000, os.kill, (pid, signal.SIGKILL)).start()
    for thread in threads:
        thread.join()
    json.dump(state, open(path, "w"))


def check():
    state = json.load(open(path))
    for index, (confirmed, sent) in enumerate(state):
        try:
            found = client.get_object(Bucket=bucket, Key=f"copy{index}")["Body"].read()
        except ClientError as error:
            assert error.response["Error"]["Code"] == "NoSuchKey", error
            found = None
        kept = [one for one in (confirmed, sent) if found == (None if one is None else content(one))]
        assert kept, f"copy{index}: not the confirmed version {confirmed} or the next one, {sent}"
        state[index] = [kept[0], kept[0]]
    json.dump(state, open(path, "w"))
    listed = {one["Key"] for one in client.list_objects_v2(Bucket=bucket)["Contents"]}
    assert {f"source{version}" for version in range(4)} <= listed, listed


if mode == "kill":
    kill(int(sys.argv[5]), int(sys.argv[6]))
else:
    check()
