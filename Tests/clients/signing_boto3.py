"""Ordinary calls of boto3 with default settings: a multipart upload and download, copies, deletions, buckets.

usage: signing_boto3.py ENDPOINT BUCKET FILE
"""
import hashlib
import sys

import boto3
from botocore.exceptions import ClientError

endpoint, bucket, path = sys.argv[1:]
client = boto3.client("s3", endpoint_url=endpoint)


class Digest:
    """A file that only hashes what is written to it."""

    def __init__(self):
        self.hash = hashlib.sha256()

    def write(self, data):
        self.hash.update(data)


def digest(key):
    target = Digest()
    for piece in client.get_object(Bucket=bucket, Key=key)["Body"].iter_chunks(1 << 20):
        target.write(piece)
    return target.hash.hexdigest()


assert bucket in [one["Name"] for one in client.list_buckets()["Buckets"]]
client.head_bucket(Bucket=bucket)
assert client.get_bucket_location(Bucket=bucket)["LocationConstraint"] is None
with open(path, "rb") as file:
    expected = hashlib.file_digest(file, "sha256").hexdigest()
client.upload_file(path, bucket, "boto3/big", ExtraArgs={"Metadata": {"a": "1"}})
assert digest("boto3/big") == expected, "another content"
# Above 8 MiB this copies parts.
client.copy({"Bucket": bucket, "Key": "boto3/big"}, bucket, "boto3/copy")
assert digest("boto3/copy") == expected, "another content of the copy"
client.put_object(Bucket=bucket, Key="boto3/small ü+&", Body=b"small", ContentType="text/plain")
client.copy_object(Bucket=bucket, Key="boto3/small copy", CopySource={"Bucket": bucket, "Key": "boto3/small ü+&"})
small = client.get_object(Bucket=bucket, Key="boto3/small copy")
assert small["Body"].read() == b"small" and small["ContentType"] == "text/plain", small
listed = client.list_objects_v2(Bucket=bucket, Prefix="boto3/")["Contents"]
assert len(listed) == 4, listed
keys = [{"Key": one["Key"]} for one in listed]
assert len(client.delete_objects(Bucket=bucket, Delete={"Objects": keys})["Deleted"]) == 4
assert "Contents" not in client.list_objects_v2(Bucket=bucket, Prefix="boto3/")
try:
    client.get_object(Bucket=bucket, Key="boto3/big")
    sys.exit("a deleted object was read")
except ClientError as error:
    assert error.response["Error"]["Code"] == "NoSuchKey", error
