#!/usr/bin/env bash
# Writes the checksums and the notes of a release into the folder of its files.
#
#   .github/release/assemble.sh DIR VERSION IMAGE@DIGEST SWIFT_IMAGE@DIGEST DEBIAN_IMAGE@DIGEST
#
# DIR has the archives, their SBOMs and Package.resolved.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
cd "${1:?usage: assemble.sh DIR VERSION IMAGE SWIFT_IMAGE DEBIAN_IMAGE}"
shift
sha256sum -- *.tar.gz *.spdx.json Package.resolved | tee SHA256SUMS
"$here/notes.sh" "$@" >notes.md
