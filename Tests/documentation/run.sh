#!/usr/bin/env bash
# Builds the DocC documentation of the public libraries with the toolchain's docc; every warning is an error. Compares
# their public symbols with those kept in Tests/Compatibility.
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
"$swift" build --target Presigning
"$swift" build --target PresignClient
products=$("$swift" build --show-bin-path)
target=$("$swift" -print-target-info | sed -n 's/^ *"unversionedTriple": "\(.*\)",*/\1/p' | head -n 1)

document() { # document MODULE [OPTION]...: the options are of swift-symbolgraph-extract
    local module=$1
    shift
    mkdir "$work/$module"
    "$(dirname "$docc")/swift-symbolgraph-extract" -module-name "$module" -target "$target" -I "$products/Modules" \
        "$@" -minimum-access-level public -output-dir "$work/$module"
    python3 Tests/Compatibility/symbols.py "$module" "$work/$module"
    "$docc" convert "Sources/$module/$module.docc" --warnings-as-errors \
        --fallback-display-name "$module" --fallback-bundle-identifier "presign.$module" \
        --additional-symbol-graph-dir "$work/$module" --output-path "${folder:-$work}/$module.doccarchive"
    echo "the documentation of $module has no warnings"
}

folder=${1:-}
document Presigning -Xcc -fmodule-map-file=Sources/COpenSSL/include/module.modulemap
document PresignClient
