#!/usr/bin/env bash
# Simulates one part of presign. A seed decides everything that happens, so it replays a failure.
#
#   Tests/simulate.sh PART --seeds COUNT       seeds 1 to COUNT
#   Tests/simulate.sh PART --minutes MINUTES   new seeds for some minutes
#   Tests/simulate.sh PART --seed SEED         one seed, with its history
#
# PART is one of:
#   browser   presign.js, with simulated time, network, service, storage, IndexedDB and tabs; needs node 18 or later
#   store     the local storage of the program PRESIGN_BINARY, on a disk that fails, and killed at any operation; needs
#             clang. --ignore files or --ignore directories makes fsync do nothing, as a defect that must be found
#   service   the service in one process, after `swift build --build-tests`
#
# With `browser` and `service`, a failing seed is shortened to the actions that it needs, and --seed SEED --without 3,5
# leaves out actions. `browser --mutations` shows that defects put into presign.js are found.
set -euo pipefail
cd "$(dirname "$0")/.."

part=${1-}
shift || true
case $part in
    browser) exec node --no-warnings --experimental-vm-modules Tests/Simulation/browser/simulate.mjs "$@" ;;
    store) exec python3 Tests/Simulation/store/simulate.py "$@" ;;
    service)
        export PRESIGN_SIMULATION_SEEDS=20
        while [ $# -gt 1 ]; do
            case $1 in
                --seed) export PRESIGN_SIMULATION_SEED=$2 ;;
                --without) export PRESIGN_SIMULATION_WITHOUT=$2 ;;
                --seeds) export PRESIGN_SIMULATION_SEEDS=$2 ;;
                --minutes) export PRESIGN_SIMULATION_MINUTES=$2 ;;
            esac
            shift 2
        done
        : "${PRESIGN_TESTS:=$(swift build --show-bin-path)/presignPackageTests.xctest}"
        exec "$PRESIGN_TESTS" --testing-library swift-testing --filter ServiceSimulationTests
        ;;
    *) sed -n 's/^#\( \|$\)//p' "$0" >&2; exit 64 ;;
esac
