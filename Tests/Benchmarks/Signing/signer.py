"""Signs the reference request with botocore. usage: signer.py standing|temporary COUNT|url"""

import datetime
import sys

import boto3
import botocore.auth
from botocore.config import Config

MOMENT = datetime.datetime(2026, 11, 21, 1, 22, 33)

kind, task = sys.argv[1:]
temporary = kind == "temporary"
client = boto3.client(
    "s3", region_name="eu-west-1",
    aws_access_key_id="ASIAIOSFODNN7EXAMPLE" if temporary else "AKIAIOSFODNN7EXAMPLE",
    aws_secret_access_key="wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
    aws_session_token="IQoJb3JpZ2luX2Vj/+AB" * 18 + "==" if temporary else None,
    config=Config(signature_version="s3v4", s3={"addressing_style": "virtual"}))
PARAMETERS = {"Bucket": "media-uploads-prod", "Key": "users/7f3c9a52/photos/2026/11/holiday snap (1).jpg"}


def sign():
    return client.generate_presigned_url("get_object", PARAMETERS, ExpiresIn=900)


if task == "url":
    if hasattr(botocore.auth, "get_current_datetime"):
        botocore.auth.get_current_datetime = lambda *_, **__: MOMENT
    print(sign())
else:
    for _ in range(int(task)):
        sign()
