#!/usr/bin/env python3
"""Sends the administrative S3 and STS requests that the test servers need, signed with SigV4 headers.

usage: ENDPOINT=URL ACCESS_KEY=ID SECRET=KEY s3_request.py make-bucket NAME
                                                           allow-origin NAME ORIGIN [METHOD]...
                                                           keep-versions NAME
                                                           assume-role ARN        prints SESSION_* lines
                                                           credential-process ARN prints JSON for AWS SDKs
                                                           list-keys NAME PREFIX  prints a JSON array
                                                           list-uploads NAME      prints a JSON array
                                                           list-versions NAME     prints a JSON array

Uses only the standard library, and a signer independent of the one under test.
"""
import base64
import datetime
import hashlib
import hmac
import html
import http.client
import json
import os
import re
import sys
import urllib.parse

REGION = "us-east-1"


def signed_headers(service, method, host, path, query, body):
    now = datetime.datetime.now(datetime.timezone.utc).strftime("%Y%m%dT%H%M%SZ")
    digest = hashlib.sha256(body).hexdigest()
    headers = {"host": host, "x-amz-content-sha256": digest, "x-amz-date": now}
    names = ";".join(sorted(headers))
    lines = "".join(f"{name}:{headers[name]}\n" for name in sorted(headers))
    canonical = "\n".join([method, path, query, lines, names, digest])
    scope = f"{now[:8]}/{REGION}/{service}/aws4_request"
    to_sign = "\n".join(["AWS4-HMAC-SHA256", now, scope, hashlib.sha256(canonical.encode()).hexdigest()])
    key = ("AWS4" + os.environ["SECRET"]).encode()
    for part in scope.split("/"):
        key = hmac.digest(key, part.encode(), "sha256")
    signature = hmac.new(key, to_sign.encode(), "sha256").hexdigest()
    credential = f"{os.environ['ACCESS_KEY']}/{scope}"
    headers["authorization"] = (
        f"AWS4-HMAC-SHA256 Credential={credential}, SignedHeaders={names}, Signature={signature}")
    return headers


def send(service, method, path, query="", body=b"", **extra):
    host = urllib.parse.urlsplit(os.environ["ENDPOINT"]).netloc
    headers = signed_headers(service, method, host, path, query, body) | extra
    connection = http.client.HTTPConnection(host, timeout=20)
    connection.request(method, path + ("?" + query if query else ""), body, headers)
    response = connection.getresponse()
    return response.status, response.read().decode("utf-8", "replace")


def make_bucket(name):
    return send("s3", "PUT", f"/{name}")


def allow_origin(name, origin, *methods):
    allowed = "".join(f"<AllowedMethod>{method}</AllowedMethod>" for method in methods or ("PUT", "GET"))
    rule = (f"<CORSConfiguration><CORSRule><AllowedOrigin>{origin}</AllowedOrigin>{allowed}"
            "<AllowedHeader>*</AllowedHeader><ExposeHeader>ETag</ExposeHeader></CORSRule></CORSConfiguration>").encode()
    md5 = base64.b64encode(hashlib.md5(rule).digest()).decode()
    return send("s3", "PUT", f"/{name}", "cors=", rule, **{"content-md5": md5})


def keep_versions(name):
    body = b"<VersioningConfiguration><Status>Enabled</Status></VersioningConfiguration>"
    return send("s3", "PUT", f"/{name}", "versioning=", body)


def session(arn):
    form = urllib.parse.urlencode({
        "Action": "AssumeRole", "Version": "2011-06-15", "RoleArn": arn,
        "RoleSessionName": "tests", "DurationSeconds": 3600})
    status, text = send("sts", "POST", "/", "", form.encode(), **{"content-type": "application/x-www-form-urlencoded"})
    names = ("AccessKeyId", "SecretAccessKey", "SessionToken", "Expiration")
    found = {name: re.search(f"<{name}>(.*?)</{name}>", text) for name in names}
    return status, text, {name: match.group(1) for name, match in found.items() if match}


def assume_role(arn):
    status, text, found = session(arn)
    if status == 200:
        for line, name in (("ACCESS_KEY", "AccessKeyId"), ("SECRET", "SecretAccessKey"), ("TOKEN", "SessionToken")):
            print(f"SESSION_{line}={found[name]}")
    return status, text


def credential_process(arn):
    status, text, found = session(arn)
    if status == 200:
        print(json.dumps({"Version": 1, **found}))
    return status, text


def list_keys(name, prefix):
    query = "list-type=2&max-keys=1000&prefix=" + urllib.parse.quote(prefix, safe="-_.~")
    status, text = send("s3", "GET", f"/{name}", query)
    if status == 200:
        print(json.dumps([html.unescape(key) for key in re.findall("<Key>(.*?)</Key>", text, re.DOTALL)]))
    return status, text


def list_uploads(name, query="uploads="):
    status, text = send("s3", "GET", f"/{name}", query)
    if status == 200:
        print(json.dumps([html.unescape(key) for key in re.findall("<Key>(.*?)</Key>", text, re.DOTALL)]))
    return status, text


def list_versions(name):
    return list_uploads(name, "versions=")


def main():
    actions = {"make-bucket": make_bucket, "allow-origin": allow_origin, "keep-versions": keep_versions,
               "assume-role": assume_role, "credential-process": credential_process, "list-keys": list_keys,
               "list-uploads": list_uploads, "list-versions": list_versions}
    if len(sys.argv) < 3 or sys.argv[1] not in actions:
        sys.exit(__doc__)
    try:
        status, text = actions[sys.argv[1]](*sys.argv[2:])
    except (OSError, http.client.HTTPException) as error:
        sys.exit(f"{sys.argv[1]}: {error}")
    # 409: an earlier attempt created the bucket, but its response came too late.
    if status not in (200, 204, 409):
        sys.exit(f"{sys.argv[1]}: HTTP {status}: {text[:300]}")


if __name__ == "__main__":
    main()
