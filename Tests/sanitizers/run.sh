#!/usr/bin/env bash
# Runs the tests of units and sockets, and then the built service under load, with ThreadSanitizer and with
# AddressSanitizer. Any report of theirs fails the run.
#
#   Tests/sanitizers/run.sh [thread] [address]      both if none is named; Tests/run.sh --sanitize starts it
#
# PRESIGN_E2E_SECONDS is how long each load lasts (default 10). Builds into .build, .build-tsan and .build-asan.
set -euo pipefail
cd "$(dirname "$0")/../.."
root=$PWD

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export PRESIGN_E2E_SECONDS=${PRESIGN_E2E_SECONDS:-10}
# What the sanitizers cost, generously: times that tests hold the service to are multiplied by it.
export PRESIGN_E2E_SLOWNESS=10
PRESIGN_E2E_PYTHON=$(command -v python3)
export PRESIGN_E2E_PYTHON

fail() { echo "Tests/sanitizers/run.sh: $1" >&2; exit 1; }

# All processes, the service and its tests, write their reports into this folder, whatever becomes of them.
check_reports() {
    local reports=("$work/$1".*)
    [ -e "${reports[0]}" ] || return 0
    cat "${reports[@]}" >&2
    fail "$1: ${#reports[@]} processes have reports"
}

run() { # run SANITIZER SCRATCH-PATH [options for `swift build`]
    local sanitizer=$1 scratch=$2 status=0
    shift 2
    echo "== $sanitizer sanitizer"
    swift build --build-tests --sanitize="$sanitizer" --scratch-path "$scratch" "$@"
    swift test --skip-build --sanitize="$sanitizer" --scratch-path "$scratch" --skip EndToEndTests || status=$?
    check_reports "$sanitizer"
    [ "$status" -eq 0 ] || fail "$sanitizer: tests failed"
    # The tests themselves are the plain ones: only the service is instrumented.
    # Scanners that come from PyPI are left to the plain run.
    PRESIGN_BINARY="$root/$scratch/debug/presign" \
        swift test --skip-build --filter EndToEndTests.Engine --skip sslyze || status=$?
    check_reports "$sanitizer"
    [ "$status" -eq 0 ] || fail "$sanitizer: the service failed under load"
}

thread() {
    mkdir -p .build-tsan
    clang -O1 -g -fPIC -Wall -Wextra -Werror -c Tests/sanitizers/mutex.c -o .build-tsan/mutex.o
    export TSAN_OPTIONS="halt_on_error=0:exitcode=66:second_deadlock_stack=1:log_path=$work/thread"
    run thread .build-tsan -Xlinker "$root/.build-tsan/mutex.o"
}

address() {
    # Leaks are not looked for: a reference within an enum carries the case in spare bits, and what it leads to would be
    # called lost; and the service lets nobody trace it, which the search needs.
    # What is freed is kept from use for a while: not for 256 MB of it, or tests that memory comes back would not see it.
    export ASAN_OPTIONS="detect_leaks=0:detect_stack_use_after_return=1:quarantine_size_mb=16:log_path=$work/address"
    run address .build-asan
}

[ $# -gt 0 ] || set -- thread address
for sanitizer in "$@"; do
    case $sanitizer in thread | address) ;; *) fail "$sanitizer: no such sanitizer; thread or address" ;; esac
done
swift build --build-tests
for sanitizer in "$@"; do "$sanitizer"; done
echo "no reports"
