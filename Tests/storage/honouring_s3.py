"""An S3 server that honours unsigned x-amz-* headers, as Ceph 16 and MinIO's S3 front end do, and accepts the id of a
multipart upload at any key, as MinIO's S3 front end does.

usage: honouring_s3.py KEYS [SECONDS]    prints its port; waits SECONDS before each response

KEYS is a JSON object: access key id -> {"secret": TEXT, "actions": ["s3:GetObject", ...]}. Signatures in the query
(SigV4) are verified, and each action needs its permission, including reading the source of a copy. Objects are kept in
memory; GET /objects lists them and the uploads. If-None-Match and x-amz-checksum-sha256 are ignored.
"""
import hashlib
import hmac
import http.server
import json
import sys
import time
import urllib.parse

keys = json.loads(sys.argv[1])
delay = float(sys.argv[2]) if len(sys.argv) > 2 else 0
objects = {}
uploads = {}
public = set()


class Refusal(Exception):
    pass


def signer(request, path, query):
    """Verifies the signature and returns the access key id."""
    fields = dict(query)
    identifier, scope = urllib.parse.unquote(fields["X-Amz-Credential"]).split("/", 1)
    signature = fields["X-Amz-Signature"]
    names = urllib.parse.unquote(fields["X-Amz-SignedHeaders"]).split(";")
    if identifier not in keys or any(request.headers.get(name) is None for name in names):
        raise Refusal("SignatureDoesNotMatch")
    lines = "".join(f"{name}:{request.headers[name].strip()}\n" for name in names)
    pairs = "&".join(f"{name}={value}" for name, value in sorted(query) if name != "X-Amz-Signature")
    canonical = "\n".join([request.command, path, pairs, lines, ";".join(names), "UNSIGNED-PAYLOAD"])
    digest = hashlib.sha256(canonical.encode()).hexdigest()
    to_sign = "\n".join(["AWS4-HMAC-SHA256", fields["X-Amz-Date"], scope, digest])
    key = ("AWS4" + keys[identifier]["secret"]).encode()
    for part in scope.split("/"):
        key = hmac.digest(key, part.encode(), "sha256")
    if not hmac.compare_digest(hmac.new(key, to_sign.encode(), "sha256").hexdigest(), signature):
        raise Refusal("SignatureDoesNotMatch")
    return identifier


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def send_reply(self, status, body=b""):
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("ETag", '"1"')
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def need(self, action):
        if action not in keys[self.identifier]["actions"]:
            raise Refusal("AccessDenied")

    def content(self, body):
        """Returns the content to store: the body, or the object named by an unsigned x-amz-copy-source."""
        source = self.headers.get("x-amz-copy-source")
        if source is None:
            return body
        self.need("s3:GetObject")
        return objects["/" + source.lstrip("/")]

    def respond(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        path, _, text = self.path.partition("?")
        query = [tuple((part + "=").split("=")[:2]) for part in text.split("&") if part]
        names = dict(query)
        time.sleep(delay)
        try:
            if path == "/objects":
                return self.send_reply(200, json.dumps([*objects, *uploads]).encode())
            if self.command == "GET" and path in public and not query:
                return self.send_reply(200, objects[path])
            self.identifier = signer(self, path, query)
            self.act(path, names, body)
        except KeyError:
            self.send_reply(404)
        except Refusal as refusal:
            self.send_reply(403, f"<Error><Code>{refusal}</Code></Error>".encode())

    def act(self, path, names, body):
        upload = names.get("uploadId")
        match self.command:
            case "GET" if upload:
                self.need("s3:ListMultipartUploadParts")
                self.send_reply(200, f"<Parts>{len(uploads[upload])}</Parts>".encode())
            case "GET" | "HEAD":
                self.need("s3:GetObject")
                self.send_reply(200, objects[path])
            case "PUT" if upload:
                self.need("s3:PutObject")
                uploads[upload][int(names["partNumber"])] = self.content(body)
                self.send_reply(200)
            case "PUT":
                self.need("s3:PutObject")
                objects[path] = self.content(body)
                if self.headers.get("x-amz-acl") == "public-read":
                    public.add(path)
                self.send_reply(200)
            case "POST" if upload:
                self.need("s3:PutObject")
                parts = uploads.pop(upload)
                objects[path] = b"".join(parts[number] for number in sorted(parts))
                self.send_reply(200)
            case "POST":
                self.need("s3:PutObject")
                uploads[f"u{len(uploads)}"] = {}
                identifier = f"<UploadId>u{len(uploads) - 1}</UploadId>"
                self.send_reply(200, f"<Result>{identifier}</Result>".encode())
            case "DELETE":
                self.need("s3:AbortMultipartUpload" if upload else "s3:DeleteObject")
                (uploads if upload else objects).pop(upload or path, None)
                self.send_reply(204)

    do_GET = do_HEAD = do_PUT = do_POST = do_DELETE = respond


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(server.server_address[1], flush=True)
server.serve_forever()
