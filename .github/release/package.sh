#!/usr/bin/env bash
# Builds presign with the Swift runtime inside, and packs it with LICENSE into a tar.gz of a fixed layout, beside which
# its SBOM is written.
#
#   .github/release/package.sh 1.2.3 DIR      writes DIR/presign-1.2.3-linux-ARCHITECTURE.tar.gz and .spdx.json
#
# Needs Swift 6.3, libssl-dev and libcurl4-openssl-dev. Run set-version.sh first. PRESIGN_SCRATCH moves the build
# (default .build). Times and owners in the archive are those of the commit, not of the build.
set -euo pipefail

version=${1:?usage: package.sh VERSION DIR}
mkdir -p "${2:?usage: package.sh VERSION DIR}"
directory=$(cd "$2" && pwd)
cd "$(dirname "$0")/../.."

scratch=(--scratch-path "${PRESIGN_SCRATCH:-.build}")
options=(-c release --product presign --static-swift-stdlib "${scratch[@]}")
# Without these the folder of the build is in the binary, and two builds differ.
options+=(-Xcc "-ffile-prefix-map=$PWD=." -Xswiftc -file-prefix-map -Xswiftc "$PWD=.")
export PRESIGN_WITHOUT_TESTS=1
swift build "${options[@]}"
binary=$(swift build "${options[@]}" --show-bin-path)/presign

name=presign-$version-linux-$(uname -m)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/$name"
strip -o "$work/$name/presign" "$binary"
install -m 644 LICENSE "$work/$name/LICENSE"

reported=$("$work/$name/presign" --version)
[ "$reported" = "presign $version" ] || { echo "package.sh: the binary reports $reported, not $version" >&2; exit 1; }
if ldd "$work/$name/presign" | grep -i swift; then
    echo "package.sh: the binary loads the Swift runtime" >&2
    exit 1
fi

tar -C "$work" --sort=name --owner=0 --group=0 --numeric-owner \
    --mtime="@$(git -c safe.directory="$PWD" log -1 --format=%ct)" -c "$name" | gzip -n >"$directory/$name.tar.gz"
.github/release/sbom.py "$version" "$work/$name/presign" >"$directory/$name.spdx.json"
echo "$directory/$name.tar.gz"
