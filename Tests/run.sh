#!/usr/bin/env bash
# Runs the tests: unit and socket tests, simulations, documentation, and end-to-end tests of the service with real
# clients, S3 servers, browsers, load generators, attack tools and reverse proxies. Installs what they need.
#
#   Tests/run.sh [--unit | --end-to-end]                    all tests, those of one or several modules, or the others
#   Tests/run.sh [--filter PATTERN] [--skip PATTERN]...     those that `swift test` would select
#
# Tests that take too long for every change have options of their own, see Tests/long.sh.
set -euo pipefail
cd "$(dirname "$0")/.."
# Without a limit, all tests start at once, and one that pauses continues up to half a minute later on a busy machine.
export SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=8
part=${1-all}
case $part in all | --unit | --end-to-end | --filter | --skip) ;; *) exec Tests/long.sh "$@" ;; esac
# A group is a folder of Tests/EndToEndTests; its tests are nested in a suite of its name. Each is a process, so that
# the cores are busy while some wait. Nothing runs beside `Alone`, whose tests measure time or memory.
groups=(Loads Pages Users Transfers Browsers)

work=$(mktemp -d) failed=()
finish() {
    local status=$? name
    # The output of the others can be long, so the reason stands at its end.
    for name in "${failed[@]}"; do echo "FAILED: $name" >&2; tail -n 40 "$work/output-$name" >&2; done
    Tests/servers.sh stop "$work"
    rm -rf "$work"
    exit "$status"
}
trap finish EXIT

declare -A processes
start() { # start NAME COMMAND [ARGUMENT]...: runs it beside the others
    "${@:2}" >"$work/output-$1" 2>&1 &
    processes[$1]=$!
}

await() { # await NAME...: shows the output of each; fails if one has failed
    local name status=0
    for name; do
        wait "${processes[$name]}" || { status=1; failed+=("$name"); }
        cat "$work/output-$name"
    done
    return "$status"
}

# Not with `swift test`, because only one at a time can open the database of the build.
run_tests() { # run_tests [OPTION OF swift test]...: repeats the failures at the end of the output
    local output
    output=$(mktemp -p "$work")
    NO_COLOR=1 "$PRESIGN_TESTS" --testing-library swift-testing "$@" 2>&1 | tee "$output" && return
    echo "failed:" >&2
    grep -A 3 'recorded an issue' "$output" >&2 || tail -5 "$output" >&2
    return 1
}

start_units() { # all run beside the release builds; the unit tests may continue beside the end-to-end tests
    start unit run_tests --skip EndToEndTests --skip "$sockets"
    # Not in the process of the unit tests: starting programs from one that holds thousands of sockets crashes in
    # Foundation's Process.
    start sockets run_tests --filter "$sockets"
    start simulated-browser Tests/simulate.sh browser --seeds 200
    start simulated-service Tests/simulate.sh service --seeds 20
    start lint Tests/lint.sh
}

if [ "$part" = --unit ]; then
    Tests/install.sh packages unit
else
    Tests/install.sh packages
    start programs Tests/install.sh programs "$work"
fi
swift build --build-tests
PRESIGN_TESTS="$(swift build --show-bin-path)/presignPackageTests.xctest"
export PRESIGN_TESTS
sockets="^($(find Tests/Sockets -mindepth 1 -maxdepth 1 -type d -printf '%f\n' | paste -sd '|'))\\."
case $part in all | --unit) start_units ;; esac
if [ "$part" != --unit ]; then
    Tests/install.sh product "$work"
    await programs
    # shellcheck source=/dev/null
    for file in product programs; do . "$work/$file"; done
    for server in seaweedfs swift local; do export "PRESIGN_E2E_${server^^}=$work/$server.env"; done
    start servers Tests/servers.sh start "$work"
fi
case $part in
    --filter | --skip) await servers; run_tests "$@"; exit ;;
    all | --unit)
        # A failure ends the run before the end-to-end tests begin, but after the unit tests have ended.
        await lint sockets simulated-browser simulated-service || { await unit; exit 1; }
        start documentation Tests/documentation/run.sh
        ;;
esac
[ "$part" != --unit ] || { await unit documentation; exit; }
await servers
start simulated-store Tests/simulate.sh store --seeds 5
mapfile -t others < <(printf -- '--skip\nEndToEndTests.%s/\n' "${groups[@]}" Alone)
start services run_tests --filter EndToEndTests "${others[@]}"
for group in "${groups[@]}"; do start "$group" run_tests --filter "EndToEndTests.$group/"; done
await ${processes[unit]:+unit documentation} simulated-store services "${groups[@]}"
run_tests --filter EndToEndTests.Alone/
