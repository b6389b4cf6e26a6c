"""Tests an S3 server with URLs pre-signed by boto3. usage: AWS_*=... boto3_urls.py ENDPOINT BUCKET KEY [refuses-v2]

Uploads, reads, lists parts, completes, deletes; exits with an error at the first unexpected response. With `refuses-v2`
the server must refuse boto3's default signature, SigV2.
"""
import re
import sys

import boto3
import requests
from botocore.config import Config

endpoint, bucket, key = sys.argv[1:4]
client = boto3.client("s3", region_name="us-east-1", endpoint_url=endpoint,
                      config=Config(signature_version="s3v4", s3={"addressing_style": "path"}))


def send(operation, method, status, data=None, headers=None, **parameters):
    url = client.generate_presigned_url(operation, Params={"Bucket": bucket, "Key": key} | parameters, ExpiresIn=60)
    response = requests.request(method, url, data=data, headers=headers)
    if response.status_code != status:
        sys.exit(f"{operation}: {response.status_code} {response.text}")
    return response


send("put_object", "PUT", 200, b"by boto3", {"Content-Type": "text/x-b"}, ContentType="text/x-b")
response = send("get_object", "GET", 200, ResponseContentType="text/x-c")
assert (response.content, response.headers["Content-Type"]) == (b"by boto3", "text/x-c"), response.headers
assert send("head_object", "HEAD", 200).headers["Content-Length"] == "8"
send("put_object", "PUT", 403, b"x", {"Content-Type": "text/html"}, ContentType="text/x-b")

upload = re.search("<UploadId>(.*)</UploadId>", send("create_multipart_upload", "POST", 200).text).group(1)
parts = [b"a" * (5 << 20), b"the end"]
tags = [send("upload_part", "PUT", 200, part, UploadId=upload, PartNumber=number).headers["ETag"]
        for number, part in enumerate(parts, 1)]
assert send("list_parts", "GET", 200, UploadId=upload).text.count("<PartNumber>") == 2
listed = "".join(f"<Part><PartNumber>{number}</PartNumber><ETag>{tag}</ETag></Part>" for number, tag in enumerate(tags, 1))
body = f'<CompleteMultipartUpload xmlns="http://s3.amazonaws.com/doc/2006-03-01/">{listed}</CompleteMultipartUpload>'
send("complete_multipart_upload", "POST", 200, body, UploadId=upload)
assert send("get_object", "GET", 200).content == b"".join(parts)
send("delete_object", "DELETE", 204)
send("get_object", "GET", 404)
if sys.argv[4:] == ["refuses-v2"]:
    client = boto3.client("s3", region_name="us-east-1", endpoint_url=endpoint,
                          config=Config(s3={"addressing_style": "path"}))
    response = send("get_object", "GET", 400)
    assert "AWSAccessKeyId=" in response.request.url and "Please use AWS4-HMAC-SHA256" in response.text, response.text
print("done")
