#!/bin/bash
# Installs packages from PyPI into an environment of their own, once, and prints its folder.
#
# usage: install.sh NAME REQUIREMENT...
#
# The folder is ${PRESIGN_TEST_CACHE:-~/.cache/presign-tests}/NAME. It is made anew when the requirements change.
set -euo pipefail
[ $# -ge 2 ] || { sed -n 's/^# usage: /usage: /p' "$0" >&2; exit 64; }
name=$1
shift
cache=${PRESIGN_TEST_CACHE:-$HOME/.cache/presign-tests}
venv=$cache/$name

fail() { echo "install.sh: $name: $1" >&2; exit 1; }

# The stamp says that the install came to its end. The lock lets two starts run at once.
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
