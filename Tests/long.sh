#!/usr/bin/env bash
# Runs a test that takes too long for every change.
#
#   Tests/run.sh --image         the container image's file system, built and run without Docker (needs root)
#   Tests/run.sh --release       the steps of the release workflow, and its archive in a bare Debian (needs root)
#   Tests/run.sh --compose       config/compose.yaml with a real Docker daemon and Docker Compose (needs root)
#   Tests/run.sh --sanitize      unit tests, and the service under load, with ThreadSanitizer and AddressSanitizer
#   Tests/run.sh --kills [COUNT]                  kills the local storage, 2,000 times, while boto3 writes to it
#   Tests/run.sh --simulate [MINUTES]             each simulation for some minutes (see Tests/simulate.sh)
#   Tests/run.sh --fuzz [MINUTES] [TARGET...]     each fuzzer for some minutes (see Tests/Fuzzers/run.sh)
#   Tests/run.sh --thorough      end-to-end tests in all browsers and on all storages, with an upload of 6 GB; 5 GiB to
#                                the local storage; 1 GiB with boto3, PresignClient and Git LFS; build caches and package
#                                clients; decisions on a million random requests; a million changes of a share link;
#                                proofs of 5,000 listings, and of 10,000 changes of rules
#   Tests/run.sh --long          Compose, image, release, sanitizers, kills, the longest forms, each fuzzer for a minute
set -euo pipefail
cd "$(dirname "$0")/.."

simulate() {
    Tests/simulate.sh browser --minutes "$1"
    Tests/simulate.sh browser --mutations
    swift build --build-tests
    Tests/simulate.sh service --minutes "$1"
    PRESIGN_BINARY="$(swift build --show-bin-path)/presign" Tests/simulate.sh store --minutes "$1"
}

kills() {
    swift build --product presign --force-resolved-versions
    Tests/install.sh programs .build
    # shellcheck source=/dev/null
    . .build/programs
    "$PRESIGN_E2E_SDKS/bin/python" Tests/clients/kill_storage.py "$(swift build --show-bin-path)/presign" "$1"
}

thorough() {
    export PRESIGN_E2E_LONG=1
    Tests/run.sh --end-to-end
    Tests/run.sh --filter 'PresignToolsTests.(Decision|RemoteDecision|ComparisonProperty)Tests|ShareTokenTests'
}

long() {
    Tests/compose/run.sh
    Tests/image/run.sh
    Tests/release/run.sh
    Tests/sanitizers/run.sh
    kills 2000
    thorough
    Tests/Fuzzers/run.sh 1
}

option=${1-}
case $option in
    --image | --release | --compose | --sanitize | --fuzz | --simulate | --kills | --thorough | --long) shift ;;
    *) sed -n 's/^#\( \|$\)//p' "$0" >&2; exit 64 ;;
esac
Tests/install.sh packages
case $option in
    --image) Tests/image/run.sh "$@" ;;
    --release) Tests/release/run.sh ;;
    --compose) Tests/compose/run.sh "$@" ;;
    --sanitize) Tests/sanitizers/run.sh "$@" ;;
    --fuzz) Tests/Fuzzers/run.sh "$@" ;;
    --simulate) simulate "${1-10}" ;;
    --kills) kills "${1-2000}" ;;
    --thorough) thorough ;;
    --long) long ;;
esac
