"""Reads of boto3 that an operation sends on its own, or that a retry repeats, with unmodified parsers.

usage: signing_reads.py ENDPOINT BUCKET
"""
import sys

import boto3

endpoint, bucket = sys.argv[1:]
client = boto3.client("s3", endpoint_url=endpoint)

# Parts by number, as "download by part" managers read them.
client.put_object(Bucket=bucket, Key="reads/single", Body=b"0123456789", Tagging="a=b&c", ServerSideEncryption="AES256")
single = client.head_object(Bucket=bucket, Key="reads/single", PartNumber=1)
assert (single["ContentLength"], single.get("PartsCount")) == (10, None), single
upload = client.create_multipart_upload(Bucket=bucket, Key="reads/parts")["UploadId"]
parts = [
    {"PartNumber": number, "ETag": client.upload_part(
        Bucket=bucket, Key="reads/parts", UploadId=upload, PartNumber=number, Body=body)["ETag"]}
    for number, body in ((1, b"a" * (5 << 20)), (2, b"b"))
]
listed = client.list_multipart_uploads(Bucket=bucket, Prefix="reads/")["Uploads"]
assert [(one["Key"], one["UploadId"]) for one in listed] == [("reads/parts", upload)], listed
# A retry after a lost response repeats the request.
completions = [
    client.complete_multipart_upload(
        Bucket=bucket, Key="reads/parts", UploadId=upload, MultipartUpload={"Parts": parts})["ETag"]
    for _ in range(2)
]
assert completions[0] == completions[1], completions
assert "Uploads" not in client.list_multipart_uploads(Bucket=bucket, Prefix="reads/")
part = client.get_object(Bucket=bucket, Key="reads/parts", PartNumber=2)
assert (part["Body"].read(), part["PartsCount"], part["ContentRange"]) == (b"b", 2, "bytes 5242880-5242880/5242881")
# The reads of a copy, a listing and a removal.
tags = client.get_object_tagging(Bucket=bucket, Key="reads/single")["TagSet"]
assert tags == [{"Key": "a", "Value": "b"}, {"Key": "c", "Value": ""}], tags
grants = client.get_object_acl(Bucket=bucket, Key="reads/single")["Grants"]
assert [(one["Grantee"]["Type"], one["Permission"]) for one in grants] == [("CanonicalUser", "FULL_CONTROL")], grants
assert client.get_bucket_versioning(Bucket=bucket).get("Status") is None
assert client.list_objects(Bucket=bucket)["Contents"][0]["Owner"]["ID"]
# A client for another region is redirected, also by responses without a body.
for call in (
    lambda other: other.head_object(Bucket=bucket, Key="reads/single"),
    lambda other: other.head_bucket(Bucket=bucket),
    lambda other: other.get_object(Bucket=bucket, Key="reads/single"),
):
    call(boto3.client("s3", endpoint_url=endpoint, region_name="eu-central-1"))
