#!/usr/bin/env bash
# Builds the DocC documentation of the library Presigning with the toolchain's docc; every warning is an error.
#
#   Tests/documentation/run.sh [FOLDER]     keeps the documentation in FOLDER
#
# Needs no DocC plugin. PRESIGN_SWIFT is the build command (default swift).
set -euo pipefail
cd "$(dirname "$0")/../.."
swift=${PRESIGN_SWIFT:-swift}
docc=$(dirname "$(readlink -f "$(command -v "$swift")")")/docc
[ -x "$docc" ] || docc=$(command -v docc) || { echo "SKIPPED: the documentation: docc is not in the toolchain"; exit 0; }

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/graphs"
"$swift" build --target Presigning
products=$("$swift" build --show-bin-path)
target=$("$swift" -print-target-info | sed -n 's/^ *"unversionedTriple": "\(.*\)",*/\1/p' | head -n 1)
"$(dirname "$docc")/swift-symbolgraph-extract" -module-name Presigning -target "$target" -I "$products/Modules" \
    -Xcc -fmodule-map-file=Sources/COpenSSL/include/module.modulemap \
    -minimum-access-level public -output-dir "$work/graphs"
"$docc" convert Sources/Presigning/Presigning.docc --warnings-as-errors \
    --fallback-display-name Presigning --fallback-bundle-identifier presign.Presigning \
    --additional-symbol-graph-dir "$work/graphs" --output-path "${1:-$work/Presigning.doccarchive}"
echo "the documentation of Presigning has no warnings"
