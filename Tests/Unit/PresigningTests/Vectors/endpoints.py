"""Prints endpoints.jsonl: URLs of buckets behind their own domain and behind proxies, as botocore signs what the storage
sees, at a fixed time.

usage: endpoints.py > endpoints.jsonl    needs botocore
"""
import datetime
import json
import urllib.parse

import botocore.auth
import botocore.awsrequest
import botocore.credentials

MOMENT = datetime.datetime(2026, 11, 21, 1, 22, 33)
KEYS = ("AKIDEXAMPLE", "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY")
KEY = "a b+c/é.txt"
LISTING = {"encoding-type": "url", "list-type": "2", "prefix": "a b/"}
PART = {"partNumber": "7", "uploadId": "U/+="}
DOMAIN = {"addressing": "domain"}
DOMAINS = {"endpoint": "https://files.example.com", "signedEndpoint": "https://storage:9000"}

# Each with the beginning of the path that the storage sees.
VECTORS = {
    "domain": (DOMAIN, ""),
    "domain with a port": (DOMAIN | {"endpoint": "http://Files.example.com:8080"}, ""),
    "domain with a path": (DOMAIN | {"endpoint": "https://files.example.com/base/"}, "/base"),
    "domain at an address": (DOMAIN | {"endpoint": "http://192.0.2.10:80"}, ""),
    "domain, dots in the bucket": (DOMAIN | {"bucket": "my.bucket"}, ""),
    "domain of AWS": (DOMAIN | {"endpoint": "https://media.s3.eu-west-1.amazonaws.com"}, ""),
    "domain, upload": (DOMAIN | {"operation": "putObject", "headers": {"content-type": "image/png"}}, ""),
    "domain, listing": (DOMAIN | {"operation": "listObjectsV2", "query": LISTING}, ""),
    "removed path": (
        {"endpoint": "https://files.example.com/storage", "signedEndpoint": "https://files.example.com"}, "/media"),
    "added path": (
        {"endpoint": "https://files.example.com", "signedEndpoint": "https://files.example.com/v1/s3"}, "/v1/s3/media"),
    "rewritten host": (DOMAINS, "/media"),
    "host and path": (
        {"endpoint": "http://files.example.com/storage", "signedEndpoint": "http://storage:9000"}, "/media"),
    "bucket in both hosts": (DOMAINS | {"addressing": "virtual"}, ""),
    "domain to a path": (DOMAIN | {"signedEndpoint": "https://storage:9000/media"}, "/media"),
    "default port": (DOMAINS | {"signedEndpoint": "https://Storage:443/"}, "/media"),
    "rewritten, upload": (DOMAINS | {"operation": "putObject", "headers": {"content-type": "image/png"}}, "/media"),
    "rewritten, part": (DOMAINS | {"operation": "uploadPart", "query": PART}, "/media"),
    "rewritten, listing": (DOMAINS | {"operation": "listObjectsV2", "query": LISTING}, "/media"),
    "rewritten, check": (DOMAINS | {"operation": "headObject"}, "/media"),
}
METHODS = {"putObject": "PUT", "uploadPart": "PUT", "headObject": "HEAD"}


def signed(name, path, operation="getObject", endpoint="https://files.example.com", signedEndpoint=None,
           addressing="auto", bucket="media", query={}, headers={}):
    origin = urllib.parse.urlsplit(signedEndpoint or endpoint)
    host = (bucket + "." if addressing == "virtual" else "") + origin.netloc.lower()
    key = "" if operation == "listObjectsV2" else urllib.parse.quote(KEY, safe="/~")
    url = f"{origin.scheme}://{host}{path}/{key}"
    if query:
        url += "?" + urllib.parse.urlencode(query, quote_via=urllib.parse.quote, safe="~")
    request = botocore.awsrequest.AWSRequest(METHODS.get(operation, "GET"), url, headers=dict(headers))
    botocore.auth.S3SigV4QueryAuth(
        botocore.credentials.Credentials(*KEYS), "s3", "eu-west-1", expires=3600).add_auth(request)
    parameters = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(request.url).query, keep_blank_values=True))
    return {
        "id": name, "date": MOMENT.strftime("%Y-%m-%dT%H:%M:%SZ"), "accessKeyId": KEYS[0], "secretAccessKey": KEYS[1],
        "bucket": bucket, "region": "eu-west-1", "endpoint": endpoint, "signedEndpoint": signedEndpoint,
        "addressing": addressing, "operation": operation, "key": KEY, "query": query, "headers": headers,
        "signature": parameters["X-Amz-Signature"]}


botocore.auth.get_current_datetime = lambda *_, **__: MOMENT
for name, (changes, path) in VECTORS.items():
    print(json.dumps(signed(name, path, **changes)))
