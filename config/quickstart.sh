#!/bin/sh
# Builds and runs presign with an embedded storage, on a fresh Debian 12 with Swift 6.3.
#
#   config/quickstart.sh [DIR] [OPTION...]
#
# Files and the API key are kept in DIR (default: .presign-local beside Package.swift). Options are those of
# `presign serve`, such as `--cors-origin http://localhost:5173` or `--new-key`.
#
# Installs missing Debian packages, builds, starts, and prints the address of the upload page and two curl commands to
# copy. Ctrl-C stops it. PRESIGN_LISTEN and PRESIGN_LOCAL_LISTEN set the two addresses; PRESIGN_BINARY skips the build
# and names the binary to run.
set -eu

here=$(pwd)
cd "$(dirname "$0")/.."
case ${PRESIGN_BINARY:-} in
    /*) ;;
    */*) PRESIGN_BINARY=$here/$PRESIGN_BINARY ;;
esac
case ${1:-} in
    '' | -*) directory=.presign-local ;;
    /*) directory=$1; shift ;;
    *) directory=$here/$1; shift ;;
esac

missing_packages() {
    for package in libssl-dev libcurl4-openssl-dev curl; do
        dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'install ok installed' || printf '%s ' "$package"
    done
}

build() {
    if ! command -v swift >/dev/null; then
        echo "quickstart.sh: swift not found; install Swift 6.3 first: https://www.swift.org/install/linux/" >&2
        exit 69
    fi
    missing=$(missing_packages)
    if [ -n "$missing" ]; then
        sudo=
        [ "$(id -u)" -eq 0 ] || sudo=sudo
        echo "Installing $missing" >&2
        $sudo apt-get update -qq
        # shellcheck disable=SC2086 # several packages
        $sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing >/dev/null
    fi
    echo "Building (takes some minutes the first time)" >&2
    swift build -c release --product presign >&2
    binary=$(swift build -c release --show-bin-path)/presign
}

if [ -n "${PRESIGN_BINARY:-}" ]; then binary=$PRESIGN_BINARY; else build; fi

exec "$binary" serve --config config/quickstart.yaml --local "$directory" \
    --listen "${PRESIGN_LISTEN:-127.0.0.1:8080}" --local-listen "${PRESIGN_LOCAL_LISTEN:-127.0.0.1:8081}" "$@"
