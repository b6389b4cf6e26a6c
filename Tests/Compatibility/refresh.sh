#!/usr/bin/env bash
# Writes the kept files of Tests/Compatibility anew, from this version: before a release, or if a promise is changed on
# purpose. Prints the digest for the entry in CHANGELOG.md, which a test demands. configuration.yaml and share.key are
# written by hand.
#
#   Tests/Compatibility/refresh.sh [--built]     --built: use the last `swift build --build-tests`
set -euo pipefail
cd "$(dirname "$0")/../.."

if [ "${1-}" != --built ]; then swift build --build-tests; fi
export PRESIGN_KEEP=1
.build/debug/presignPackageTests.xctest --testing-library swift-testing --filter '^CompatibilityTests\.' >/dev/null
cp config/openapi.yaml Tests/Compatibility/openapi.yaml
Tests/documentation/run.sh
unset PRESIGN_KEEP
.build/debug/presignPackageTests.xctest --testing-library swift-testing --filter '^CompatibilityTests\.' 2>&1 |
    grep -E 'say what in|error:|recorded an issue|passed after' || true
