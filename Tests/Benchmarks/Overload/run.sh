#!/usr/bin/env bash
# What the service does when twice as much comes as it can do, in release builds, each side on one core:
#
#   Tests/Benchmarks/Overload/run.sh [keep|new] [key|token] [CONNECTIONS] [RATE]
#
# keep: 256 keep-alive connections that never wait for an answer; new: a connection for each request. key: with an API
# key; a generator on one core can hardly send twice what the server does on another. token: with a forged token, whose
# signature costs the server ten times as much. Without RATE the rate that the server sustains is measured first.
# IN_FLIGHT sets server.limits.inFlight: 1024, or 128 with tokens, so that what it lets wait is done in 10 ms in either
# case. PRESIGN_SWIFT is the command to build with.
set -euo pipefail
cd "$(dirname "$0")/../../.."

"${PRESIGN_SWIFT:-swift}" build -c release --product presign
"${PRESIGN_SWIFT:-swift}" build -c release --product OverloadBenchmark
binaries=$(swift build -c release --show-bin-path)
work=$(mktemp -d)
server=
finish() {
    [ -z "$server" ] || { kill "$server" 2>/dev/null && wait "$server" || true; }
    rm -rf "$work"
}
trap finish EXIT

key="psk_bench_$(printf "not-a-secret-%030d" 0)"
in_flight=${IN_FLIGHT:-1024}
[ "${2:-key}" = key ] || in_flight=${IN_FLIGHT:-128}
hash=$(printf %s "$key" | sha256sum | cut -d' ' -f1)
port=$(python3 -c 'import socket; s = socket.create_server(("127.0.0.1", 0)); print(s.getsockname()[1])')
cat >"$work/presign.yaml" <<YAML
version: 1
server: {listen: ["127.0.0.1:$port"], loops: 1, limits: {inFlight: $in_flight}}
stores: {media: {bucket: media-uploads-prod, region: eu-west-1}}
auth:
  apiKeys: [{id: bench, hashes: ["sha256:$hash"]}]
  jwt: [{name: users, issuer: "https://users.example", audience: [presign], algorithms: [ES256], jwks: $work/keys.json}]
limits: {failedAuthentications: none}
rules: [{path: "users/**", allow: {authenticated: [get]}}]
YAML
# The public key of RFC 7515 A.3.
cat >"$work/keys.json" <<JSON
{"keys": [{"kty": "EC", "crv": "P-256", "kid": "1", "x": "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",
  "y": "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"}]}
JSON
mode=${1:-keep}
if [ "${2:-key}" = token ]; then
    key=$(python3 - <<'PYTHON'
import base64, json
text = lambda data: base64.urlsafe_b64encode(data).rstrip(b"=").decode()
claims = {"iss": "https://users.example", "aud": "presign", "sub": "7f3c9a52", "exp": 4102444800}
head = {"alg": "ES256", "typ": "JWT", "kid": "1"}
print(".".join([text(json.dumps(part).encode()) for part in (head, claims)] + [text(b"0123456789abcdef" * 4)]))
PYTHON
    )
fi
body='{"path":"users/7f3c9a52/photos/2026/11/holiday snap (1).jpg","method":"GET","expiresIn":900}'
close=
[ "$mode" = keep ] || close=$'Connection: close\r\n'
printf 'POST /presign HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer %s\r\nContent-Type: application/json\r\n%sContent-Length: %d\r\n\r\n%s' \
    "$key" "$close" "${#body}" "$body" >"$work/request"

AWS_ACCESS_KEY_ID=AKIAIOSFODNN7EXAMPLE AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY \
    taskset -c 0 "$binaries/presign" serve --config "$work/presign.yaml" >"$work/requests.log" 2>"$work/diagnostics.log" &
server=$!
for _ in $(seq 100); do
    curl -s -o "$work/answer" "http://127.0.0.1:$port/healthz" && break
    sleep 0.1
done
taskset -c 1 "$binaries/OverloadBenchmark" "$port" "$work/request" "$mode" "${3:-256}" ${4:+"$4"}
