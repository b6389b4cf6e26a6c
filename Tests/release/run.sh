#!/usr/bin/env bash
# Takes the steps of the release workflow that need no account, in a clone of HEAD; then unpacks the archive in a bare
# Debian, and uses it there: the version, the service, the manual page, completions.
#
#   Tests/release/run.sh
#
# Needs root, for chroot. PRESIGN_TEST_CACHE sets the cache folder (default ~/.cache/presign-tests).
set -euo pipefail
cd "$(dirname "$0")/../.."
if [ "$(id -u)" -ne 0 ]; then
    echo "SKIPPED: the release: chroot needs root"
    exit 0
fi

version=9.8.7-rc.1
work=$(mktemp -d)
chmod 755 "$work"
finish() {
    local status=$?
    if [ -n "${service-}" ]; then kill "$service" 2>/dev/null || true; fi
    umount "$work/root/proc" 2>/dev/null || true
    rm -rf "$work"
    [ "$status" -eq 0 ] || echo "FAILED: the release" >&2
    exit "$status"
}
trap finish EXIT

check() { # check WHAT COMMAND [ARGUMENT]...: prints whether the command succeeds
    if "${@:2}" >"$work/output" 2>&1; then echo "ok     $1"; else echo "FAILED $1"; cat "$work/output"; return 1; fi
}

git clone --quiet . "$work/src"
cd "$work/src"
sed -i "s/^## \[Unreleased\]$/## [$version] - 2026-01-01/" .github/CHANGELOG.md
check "a tag that is not a version is refused" sh -c '! .github/release/set-version.sh 1.2.3'
check "a version without a section in the changelog is refused" sh -c '! .github/release/set-version.sh v9.9.9'
check "the version is that of the tag" [ "$(.github/release/set-version.sh "v$version")" = "$version" ]
swift package resolve >/dev/null
check "the archive is built" .github/release/package.sh "$version" "$work/dist"
name=presign-$version-linux-$(uname -m)
cp Package.resolved "$work/dist/"
image=ghcr.io/owner/presign@sha256:0
check "checksums and notes are written" .github/release/assemble.sh "$work/dist" "$version" "$image" swift@a debian@b
check "the notes begin with the changelog" grep -q '^### Added' "$work/dist/notes.md"
check "the SBOM names the packages" grep -q '"name": "swift-log"' "$work/dist/$name.spdx.json"
check "the SBOM names the libraries" grep -q 'pkg:deb/debian/libcurl4@' "$work/dist/$name.spdx.json"
check "the checksums are right" sh -c 'cd "$0" && sha256sum --check --strict SHA256SUMS' "$work/dist"

root=$work/root
"$OLDPWD/Tests/image/base.sh" "$root"
# The packages that the notes name.
read -ra packages < <(tr '\n' ' ' <"$work/dist/notes.md" | grep -o 'packages libcurl4[^.]*' |
    sed 's/^packages//; s/,/ /g; s/ and / /')
check "the notes name the packages" [ "${#packages[@]}" -eq 4 ]
export DEBIAN_FRONTEND=noninteractive
check "the package list is read" chroot "$root" apt-get update -qq
check "they are installed" chroot "$root" apt-get install -y -qq --no-install-recommends "${packages[@]}"
check "the archive is unpacked" tar -xzf "$work/dist/$name.tar.gz" -C "$root/opt"
cat >"$work/presign" <<END
#!/bin/sh
exec chroot "$root" "/opt/$name/presign" "\$@"
END
chmod +x "$work/presign"
# Swift reads a program's arguments from /proc.
mount -t proc proc "$root/proc"
check "presign --version" [ "$("$work/presign" --version)" = "presign $version" ]
"$work/presign" serve --local /tmp/presign --listen 127.0.0.1:0 --local-listen 127.0.0.1:0 >"$work/log" 2>&1 &
service=$!
for _ in $(seq 100); do
    address=$(sed -n 's/.*"address":"\([^"]*\)","event":"listening".*/\1/p' "$work/log")
    [ -z "$address" ] || break
    sleep 0.1
done
check "the service starts" curl -qfsS --noproxy '*' "http://$address/"
check "the manual page is written" sh -c 'config/manual.py "$0" >"$1"' "$work/presign" "$work/presign.1"
check "it has every section" grep -q '^.SH EXIT STATUS' "$work/presign.1"
for shell in bash zsh fish; do
    "$work/presign" --generate-completion-script "$shell" >"$work/completions"
    check "completions for $shell" grep -q check-config "$work/completions"
done
check "the service stops" sh -c 'kill "$0"' "$service"
check "with status 0" wait "$service"
service=
