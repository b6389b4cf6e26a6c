#!/usr/bin/env bash
# Starts and stops the S3 servers of the end-to-end tests: SeaweedFS, OpenStack Swift and the local storage.
#
#   Tests/servers.sh start FOLDER     waits until they respond; FOLDER/NAME.env has the settings of each
#   Tests/servers.sh stop FOLDER
#
# PRESIGN_BINARY names the presign binary, for the local storage.
set -euo pipefail
cd "$(dirname "$0")/.."
servers=(seaweedfs swift local)

free_ports() { # free_ports N: prints the first of N consecutive free ports on the loopback address
    python3 - "$1" <<'PY'
import random, socket, sys
count = int(sys.argv[1])
for _ in range(200):
    first = random.randrange(20000, 32000)
    held = []
    try:
        for port in range(first, first + count):
            held.append(socket.create_server(("127.0.0.1", port)))
        print(first)
        break
    except OSError:
        pass
    finally:
        for one in held:
            one.close()
else:
    sys.exit("no free ports")
PY
}

start() {
    local port server starts=()
    port=$(free_ports 48)
    mkdir -p "$1"
    for server in "${servers[@]}"; do
        Tests/storage/start.sh "$server" "$port" "$1/$server" >"$1/$server.env" &
        starts+=($!) port=$((port + 16))
    done
    for server in "${!servers[@]}"; do
        wait "${starts[server]}" || { echo "the S3 server ${servers[server]} did not start" >&2; return 1; }
        echo "S3 server ${servers[server]}: $(sed -n 's/^ENDPOINT=//p' "$1/${servers[server]}.env")"
    done
}

stop() {
    local server
    for server in "${servers[@]}"; do Tests/storage/stop.sh "$1/$server" >/dev/null 2>&1 || true; done
}

case ${1-}:$# in
    start:2) start "$2" ;;
    stop:2) stop "$2" ;;
    *) sed -n 's/^#\( \|$\)//p' "$0" >&2; exit 64 ;;
esac
