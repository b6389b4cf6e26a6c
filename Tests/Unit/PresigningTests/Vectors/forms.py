"""Prints forms.jsonl: HTML forms as botocore's generate_presigned_post signs them, at a fixed time.

usage: forms.py > forms.jsonl    needs boto3
"""
import datetime
import json

import boto3
import botocore.auth
import botocore.signers

MOMENT = datetime.datetime(2026, 11, 21, 1, 22, 33)
KEYS = {"accessKeyId": "AKIDEXAMPLE", "secretAccessKey": "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY"}
SESSION = KEYS | {"sessionToken": "IQoJb3JpZ2luX2VjEXAMPLE//////////token+with/slashes=="}
PNG = {"Content-Type": "image/png"}
XML = "<Tagging><TagSet><Tag><Key>project</Key><Value>alpha</Value></Tag></TagSet></Tagging>"

VECTORS = {
    "plain": {},
    "exact size": {"contentLength": [5, 5]},
    "long key": {"secret": "k" * 80},
    "session token": {"credentials": SESSION},
    "path style": {"addressing": "path"},
    "dots in the bucket": {"bucket": "media.example.com"},
    "custom endpoint": {"endpoint": "http://127.0.0.1:9000", "addressing": "path"},
    "custom endpoint, virtual": {"endpoint": "https://objects.example.com", "addressing": "virtual"},
    "other region": {"region": "cn-north-1"},
    "dual-stack": {"dualstack": True},
    "acceleration": {"accelerate": True},
    "one second": {"expiresIn": 1},
    "a week": {"expiresIn": 604800},
    "characters in the key": {"key": "a b+c%20&=?#\"\\'/~$é/日本/😀.png"},
    "every field": {
        "fields": PNG | {
            "Cache-Control": "private, max-age=60", "Content-Disposition": 'attachment; filename="a b.png"',
            "Content-Encoding": "gzip", "Content-Language": "de", "success_action_status": "201", "tagging": XML,
            "x-amz-checksum-sha256": "LPJNul+wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ=", "x-amz-meta-color": "red",
            "x-amz-server-side-encryption": "AES256", "x-amz-storage-class": "STANDARD_IA"}},
    "redirect": {"fields": PNG | {"success_action_redirect": "https://app.example/done?a=1&b=%20"}},
}


def signed(name, bucket="media", region="eu-west-1", endpoint=None, addressing="auto", accelerate=False,
           dualstack=False, key="uploads/cat.png", fields=PNG, contentLength=(0, 10485760), expiresIn=3600,
           credentials=KEYS, secret=None):
    keys = credentials | ({"secretAccessKey": secret} if secret else {})
    # With `auto`, botocore writes the global host into forms of every region.
    style = "virtual" if addressing == "auto" and "." not in bucket else addressing
    config = botocore.config.Config(signature_version="s3v4", s3={
        "addressing_style": style, "use_accelerate_endpoint": accelerate, "use_dualstack_endpoint": dualstack})
    client = boto3.client(
        "s3", region_name=region, endpoint_url=endpoint, config=config, aws_access_key_id=keys["accessKeyId"],
        aws_secret_access_key=keys["secretAccessKey"], aws_session_token=keys.get("sessionToken"))
    conditions = [{name: value} for name, value in fields.items()] + [["content-length-range", *contentLength]]
    form = client.generate_presigned_post(
        bucket, key, Fields=dict(fields), Conditions=conditions, ExpiresIn=expiresIn)
    return {
        "id": name, "date": MOMENT.strftime("%Y-%m-%dT%H:%M:%SZ"), "bucket": bucket, "region": region,
        "endpoint": endpoint, "addressing": addressing, "accelerate": accelerate, "dualstack": dualstack, "key": key,
        "fields": fields, "contentLength": list(contentLength), "expiresIn": expiresIn, "credentials": keys,
        "expected": form}


botocore.auth.get_current_datetime = botocore.signers.get_current_datetime = lambda *_, **__: MOMENT
for name, changes in VECTORS.items():
    print(json.dumps(signed(name, **changes)))
