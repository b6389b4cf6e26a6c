#!/bin/bash
# Stops the server process that start.sh recorded in DIR/pid, and waits for it.
#
# usage: stop.sh DIR
set -uo pipefail
[ $# -eq 1 ] || { sed -n 's/^# usage: /usage: /p' "$0" >&2; exit 64; }
pid=$(cat "$1/pid" 2>/dev/null) || exit 0

# The process id may have been reused: the server's process has DIR in its arguments.
ours() { [ -n "$pid" ] && { tr '\0' '\n' <"/proc/$pid/cmdline"; } 2>/dev/null | grep -qF "$(cd "$1" && pwd)"; }

if ours "$1"; then
    kill -TERM "$pid"
    for _ in $(seq 100); do
        ours "$1" || break
        sleep 0.1
    done
    if ours "$1"; then kill -KILL "$pid"; fi
fi
rm -f "$1/pid"
