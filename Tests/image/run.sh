#!/usr/bin/env bash
# Builds the container image's file system without Docker, by running the Dockerfile's commands in a Debian chroot; then
# runs the service in it and checks its limits.
#
#   Tests/image/run.sh [BINARY]     a release build with the Swift runtime linked statically; built if omitted
#
# Needs root, for chroot. PRESIGN_TEST_CACHE sets the cache folder (default ~/.cache/presign-tests).
set -euo pipefail
cd "$(dirname "$0")/../.."
if [ "$(id -u)" -ne 0 ]; then
    echo "SKIPPED: the image: chroot needs root"
    exit 0
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
chmod 755 "$work"
binary=${1-}
if [ -z "$binary" ]; then
    # The same options as in the Dockerfile.
    mkdir "$work/static"
    cp "$(clang -print-file-name=libstdc++.a)" "$work/static/"
    options=(-c release --product presign --static-swift-stdlib -Xswiftc -use-ld=lld -Xlinker "-L$work/static"
        -Xlinker --no-export-dynamic -Xlinker -z -Xlinker pack-relative-relocs)
    swift build "${options[@]}"
    binary=$(swift build "${options[@]}" --show-bin-path)/presign
fi

Tests/image/base.sh "$work/root"
strip -o "$work/presign" "$binary"
python3 Tests/image/steps.py Dockerfile root "$work/root" "build:/presign=$work/presign" "build:/src/LICENSE=LICENSE"
python3 Tests/image/check.py "$work/root/image"
