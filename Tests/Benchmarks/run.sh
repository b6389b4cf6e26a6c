#!/usr/bin/env bash
# Benchmarks the service and its signing core against comparable programs. Takes about seven minutes.
#
#   Tests/Benchmarks/run.sh [signing] [authorization] [instructions] [http] [footprint] [overload] [worst]
#
# Default: all parts. Installs missing Debian packages (needs root or sudo) and boto3 from PyPI into a cache folder;
# builds a release with the Swift runtime linked statically. Reports unavailable peers as missing. Compares by ratios,
# because absolute times on a shared machine vary between runs. Fails if a part is skipped, if a single request takes
# longer than an event loop may be held, or if instructions or allocations, which do not depend on the machine, exceed
# their budget by more than 3 %. PRESIGN_SWIFT is the build command (default swift), PRESIGN_FIGURES a folder for the
# raw figures, OVERLOAD the kind of overload (see overload.py).
set -euo pipefail
cd "$(dirname "$0")/../.."
here=Tests/Benchmarks
parts=("$@")
[ $# -gt 0 ] || parts=(signing authorization instructions http footprint overload worst)
for part in "${parts[@]}"; do
    case $part in
        signing | authorization | instructions | http | footprint | overload | worst) ;;
        *) sed -n '4s/^# *//p' "$0" >&2; exit 64 ;;
    esac
done

install_missing() {
    local missing=() package sudo=""
    for package in libssl-dev libcurl4-openssl-dev binutils curl gcc libc6-dev python3 python3-venv \
        wrk nginx-light valgrind strace golang golang-github-aws-aws-sdk-go-v2-dev; do
        dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'install ok installed' || missing+=("$package")
    done
    [ ${#missing[@]} -eq 0 ] && return
    echo "installing ${missing[*]}"
    [ "$(id -u)" -eq 0 ] || sudo=sudo
    $sudo apt-get update -qq &&
        $sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null ||
        echo "cannot install the packages; parts that need them are reported as missing"
}

work=$(mktemp -d)
finish() {
    local status=$?
    [ -z "${PRESIGN_FIGURES:-}" ] || { mkdir -p "$PRESIGN_FIGURES" && cp "$work"/*.json "$PRESIGN_FIGURES"; } || true
    rm -rf "$work"
    exit "$status"
}
trap finish EXIT

prepare() { # builds the measured programs; adds those that cannot be built to PRESIGN_MISSING
    local swift=${PRESIGN_SWIFT:-swift} options=(-c release --static-swift-stdlib) product
    for product in presign SigningBenchmark AuthorizationBenchmark OverloadBenchmark; do "$swift" build "${options[@]}" --product "$product"; done
    PRESIGN_BUILD=$(realpath "$(swift build "${options[@]}" --show-bin-path)")
    PRESIGN_WORK=$work
    PRESIGN_MISSING=
    strip -o "$work/presign" "$PRESIGN_BUILD/presign"
    strip --strip-debug -o "$work/presign-symbols" "$PRESIGN_BUILD/presign"
    strip --strip-debug -o "$work/signing-symbols" "$PRESIGN_BUILD/SigningBenchmark"
    gcc -O2 -march=native -Wall -Wextra -Werror -o "$work/reference" $here/Signing/reference.c -lcrypto
    gcc -O2 -Wall -Wextra -Werror -shared -fPIC -o "$work/counters.so" $here/counters.c
    # Without -march=native, because Valgrind does not support every instruction.
    gcc -O2 -o "$work/reference-plain" $here/Signing/reference.c -lcrypto
    GOFLAGS="" GO111MODULE=off GOPATH=/usr/share/gocode GOCACHE=$work/go \
        go build -o "$work/gosigner" $here/Signing/signer.go || PRESIGN_MISSING+=",go"
    python=$(Tests/storage/install.sh benchmarks boto3==1.44.5)/bin/python ||
        { python=python3; PRESIGN_MISSING+=",boto3"; }
    export PRESIGN_BUILD PRESIGN_WORK PRESIGN_MISSING
}

machine() {
    echo "$(nproc) cores, $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1), load $(cut -d' ' -f1-3 /proc/loadavg)"
    echo "$(. /etc/os-release && echo "$PRETTY_NAME"), Linux $(uname -r), $(openssl version 2>/dev/null || echo 'no openssl'), $(swift --version 2>/dev/null | head -n 1)"
}

has() { # has PART TOOL...: reports a missing tool
    local part=$1 tool
    shift
    for tool in "$@"; do
        command -v "$tool" >/dev/null || { echo "MISSING: $tool, so $part is skipped"; return 1; }
    done
}

install_missing
prepare
ulimit -n 25000 2>/dev/null || ulimit -n "$(ulimit -Hn)"
machine
failed=0
for part in "${parts[@]}"; do
    case $part in
        signing) "$python" $here/signing.py ;;
        authorization) "$PRESIGN_BUILD/AuthorizationBenchmark" ;;
        instructions) has "$part" valgrind && "$python" $here/instructions.py || failed=1 ;;
        http) has "$part" wrk nginx && "$python" $here/serving.py || failed=1 ;;
        footprint) "$python" $here/footprint.py ;;
        overload) "$python" $here/overload.py ;;
        worst) "$python" $here/worst.py || failed=1 ;;
    esac
done
echo
echo "load at the end: $(cut -d' ' -f1-3 /proc/loadavg)"
exit "$failed"
