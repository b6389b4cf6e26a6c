"""A stand-in for Auth0 and for a Cognito user pool: a discovery document, a key set, and access tokens for client credentials.

    issuer.py PORT AUTH0 COGNITO     serves until it is stopped; the last two are the issuers, of which the paths are used

Both sign with RS256. Auth0's tokens have the audience in `aud`, those of Cognito have it in `client_id`.
"""
import base64
import http.server
import json
import sys
import time
from urllib.parse import parse_qs, urlsplit

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import padding, rsa

KEY = rsa.generate_private_key(public_exponent=65537, key_size=2048)
DOCUMENT = "/.well-known/openid-configuration"
PORT, AUTH0, COGNITO = int(sys.argv[1]), sys.argv[2], sys.argv[3]


def base64url(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def key_set():
    numbers = KEY.public_key().public_numbers()
    n, e = (base64url(value.to_bytes((value.bit_length() + 7) // 8, "big")) for value in (numbers.n, numbers.e))
    return {"keys": [{"kty": "RSA", "kid": "1", "use": "sig", "alg": "RS256", "n": n, "e": e}]}


def document(path):
    """The discovery document of the issuer whose path this is, as for any other issuer."""
    issuer = f"http://127.0.0.1:{PORT}{path}"
    issuer = next((one for one in (AUTH0, COGNITO) if one.rstrip("/") == issuer.rstrip("/")), None)
    return issuer and {"issuer": issuer, "jwks_uri": issuer.rstrip("/") + "/.well-known/jwks.json"}


def token(issuer, client, audience):
    claims = {"iss": issuer, "sub": f"{client}@clients", "iat": int(time.time()), "exp": int(time.time()) + 600}
    claims |= {"aud": audience} if issuer == AUTH0 else {"client_id": audience, "token_use": "access"}
    parts = [{"alg": "RS256", "typ": "JWT", "kid": "1"}, claims]
    signed = ".".join(base64url(json.dumps(part).encode()) for part in parts)
    return signed + "." + base64url(KEY.sign(signed.encode(), padding.PKCS1v15(), hashes.SHA256()))


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        is_document = self.path.endswith(DOCUMENT)
        is_key_set = self.path.endswith("/.well-known/jwks.json")
        self.send(document(self.path.removesuffix(DOCUMENT)) if is_document else key_set() if is_key_set else None)

    def do_POST(self):
        form = parse_qs(self.rfile.read(int(self.headers["Content-Length"])).decode())
        field = lambda name: form.get(name, [""])[0]
        issuer = next((one for one in (COGNITO, AUTH0) if self.path.startswith(urlsplit(one).path)), AUTH0)
        is_known = self.path.endswith("/oauth/token") and field("grant_type") == "client_credentials"
        self.send({"access_token": token(issuer, field("client_id"), field("audience"))} if is_known else None)

    def send(self, value):
        body = json.dumps(value).encode()
        self.send_response(404 if value is None else 200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments):
        pass


http.server.ThreadingHTTPServer(("127.0.0.1", PORT), Handler).serve_forever()
