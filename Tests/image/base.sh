#!/usr/bin/env bash
# Unpacks a bare Debian 12 into a new folder, with the package sources of this machine and /dev/null. Needs root.
#
#   Tests/image/base.sh ROOT
#
# PRESIGN_TEST_CACHE sets the cache folder (default ~/.cache/presign-tests), which keeps the packed base.
set -euo pipefail
root=${1:?usage: base.sh ROOT}
command -v mmdebstrap >/dev/null || apt-get install -y -qq --no-install-recommends mmdebstrap >/dev/null
cache=${PRESIGN_TEST_CACHE:-$HOME/.cache/presign-tests}
mkdir -p "$cache"
base=$cache/debian-bookworm.tar
[ -f "$base" ] || { mmdebstrap --quiet --format=tar --variant=minbase bookworm "$base.new" && mv "$base.new" "$base"; }
mkdir "$root"
tar -C "$root" -xf "$base" --exclude='./dev/*'
mknod -m 666 "$root/dev/null" c 1 3
cp /etc/resolv.conf "$root/etc/resolv.conf"
rm -rf "$root/etc/apt" && cp -a /etc/apt "$root/etc/apt"
