"""Measures the service at twice the rate that it can sustain; service and load generator have one core each.

OVERLOAD is "keep|new key|token [CONNECTIONS [RATE]]", by default "keep token 256". keep: open connections that send
without waiting for responses; new: one connection per request. key: requests with an API key, for which a generator on
one core can hardly send twice the sustained rate. token: requests with a forged token, whose verification costs ten
times as much. Without RATE the sustained rate is measured first.
"""

import base64
import hashlib
import json
import os
import pathlib
import re
import subprocess
import tempfile

from harness import BODY, BUILD, STRIPPED, WORK, Server, free_port, median, save, table

MODE, KIND, CONNECTIONS, *RATE = [*(given := os.environ.get("OVERLOAD", "").split()),
                                  *["keep", "token", "256"][len(given):]]
KEY = f"psk_bench_not-a-secret-{0:030d}"

CONFIGURATION = """\
version: 1
server: {{listen: ["127.0.0.1:{port}"], loops: 1}}
stores: {{media: {{bucket: media-uploads-prod, region: eu-west-1}}}}
auth:
  apiKeys: [{{id: bench, hashes: ["sha256:{hash}"]}}]
  jwt: [{{name: users, issuer: "https://users.example", audience: [presign], algorithms: [ES256], jwks: keys.json}}]
limits: {{failedAuthentications: none}}
rules: [{{path: "users/**", allow: {{authenticated: [get]}}}}]
"""
# The public key of RFC 7515 A.3.
KEYS = {"keys": [{"kty": "EC", "crv": "P-256", "kid": "1", "x": "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",
                  "y": "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"}]}


def text(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def forged_token():
    claims = {"iss": "https://users.example", "aud": "presign", "sub": "7f3c9a52", "exp": 4102444800}
    head = {"alg": "ES256", "typ": "JWT", "kid": "1"}
    return ".".join([text(json.dumps(part).encode()) for part in (head, claims)] + [text(b"0123456789abcdef" * 4)])


def service():
    port, folder = free_port(), tempfile.mkdtemp(dir=WORK)
    configuration = CONFIGURATION.format(port=port, hash=hashlib.sha256(KEY.encode()).hexdigest())
    pathlib.Path(folder, "presign.yaml").write_text(configuration)
    pathlib.Path(folder, "keys.json").write_text(json.dumps(KEYS))
    close = "" if MODE == "keep" else "Connection: close\r\n"
    pathlib.Path(folder, "request").write_bytes(
        (f"POST /presign HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer {KEY if KIND == 'key' else forged_token()}\r\n"
         f"Content-Type: application/json\r\n{close}Content-Length: {len(BODY)}\r\n\r\n").encode() + BODY)
    command = ["taskset", "-c", "0", STRIPPED, "serve", "--config", "presign.yaml"]
    return Server(command, port, folder)


def shown(milliseconds):
    """Formats a recovery time; a round that did not recover has an unbounded number."""
    return milliseconds if milliseconds < 500 else "not in 500"


with service() as server:
    output = subprocess.run(
        ["taskset", "-c", "1", BUILD / "OverloadBenchmark", str(server.port), server.folder + "/request", MODE,
         CONNECTIONS, *RATE], check=True, text=True, stdout=subprocess.PIPE).stdout
print(f"\n{output}", end="")
loaded, calm = map(int, re.search(r"median of the rounds: (\d+) us, unloaded (\d+) us", output).groups())
sustained = int(re.search(r"sustained: (\d+)/s", output)[1])
served = median(int(rate) for rate in re.findall(r"^twice: .*?; (\d+)/s answered", output, re.M))
recovered, longest = map(int, re.search(r"recovered after (\d+) ms, at most (\d+)", output).groups())
table(f"Twice the sustained rate: {MODE} {KIND} {CONNECTIONS}, medians of five rounds", ["", ""], [
    ["goodput, sustained = 1", f"{served / max(1, sustained):.2f}"],
    ["p99 of successful requests, ms; unloaded", f"{loaded / 1000:.1f}; {calm / 1000:.1f}"],
    ["recovery time, ms", shown(recovered)],
    ["longest recovery time of the rounds, ms", shown(longest)]])
save("overload", {"how": [MODE, KIND, CONNECTIONS], "sustained": sustained, "served": served, "p99": loaded,
                  "unloaded": calm, "recovered": recovered, "longest": longest})
