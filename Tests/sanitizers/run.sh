#!/usr/bin/env bash
# Runs the unit and socket tests, and the service under load, with ThreadSanitizer and with AddressSanitizer. Any report
# fails the run.
#
#   Tests/sanitizers/run.sh [thread] [address]      default: both; also started by Tests/run.sh --sanitize
#
# PRESIGN_E2E_SECONDS is the duration of each load (default 10). Builds into .build, .build-tsan and .build-asan.
set -euo pipefail
cd "$(dirname "$0")/../.."
root=$PWD

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export PRESIGN_E2E_SECONDS=${PRESIGN_E2E_SECONDS:-10}
# A generous estimate of the sanitizers' slowdown: tests multiply their time limits by it.
export PRESIGN_E2E_SLOWNESS=10
PRESIGN_E2E_PYTHON=$(command -v python3)
export PRESIGN_E2E_PYTHON

fail() { echo "Tests/sanitizers/run.sh: $1" >&2; exit 1; }

# The service and the tests write their reports to this folder, even if they crash.
check_reports() {
    local reports=("$work/$1".*)
    [ -e "${reports[0]}" ] || return 0
    cat "${reports[@]}" >&2
    fail "$1: reports from ${#reports[@]} processes"
}

run() { # run SANITIZER SCRATCH-PATH [options for `swift build`]
    local sanitizer=$1 scratch=$2 status=0
    shift 2
    echo "== $sanitizer sanitizer"
    swift build --build-tests --sanitize="$sanitizer" --scratch-path "$scratch" "$@"
    swift test --skip-build --sanitize="$sanitizer" --scratch-path "$scratch" --skip EndToEndTests || status=$?
    PRESIGN_SIMULATION_SEEDS=20 swift test --skip-build --sanitize="$sanitizer" --scratch-path "$scratch" \
        --filter ServiceSimulationTests || status=$?
    check_reports "$sanitizer"
    [ "$status" -eq 0 ] || fail "$sanitizer: tests failed"
    # The tests here are not instrumented, only the service. Scanners from PyPI run only in the plain test run.
    # One group after the other: both load the service, which is ten times slower here.
    for group in Loads Alone; do
        PRESIGN_BINARY="$root/$scratch/debug/presign" \
            swift test --skip-build --filter "EndToEndTests.$group/" --skip sslyze --skip Alone/Page || status=$?
    done
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
    # No leak detection: enums store their case in spare bits of references, so referenced objects would be reported as
    # leaks; and leak detection needs ptrace, which the service disables.
    # A smaller quarantine than the default 256 MB, so that tests see freed memory returned.
    export ASAN_OPTIONS="detect_leaks=0:detect_stack_use_after_return=1:quarantine_size_mb=16:log_path=$work/address"
    run address .build-asan
}

[ $# -gt 0 ] || set -- thread address
for sanitizer in "$@"; do
    case $sanitizer in thread | address) ;; *) fail "$sanitizer: unknown sanitizer; use thread or address" ;; esac
done
swift build --build-tests
for sanitizer in "$@"; do "$sanitizer"; done
echo "no reports"
