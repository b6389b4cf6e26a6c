#!/usr/bin/env bash
# Makes a release's version the one that `presign --version` and the metric presign_build_info report.
#
#   .github/release/set-version.sh v1.2.3     rewrites BuildInformation.swift and prints 1.2.3
#
# Fails unless the tag is a semantic version and .github/CHANGELOG.md has a section for it.
set -euo pipefail
cd "$(dirname "$0")/../.."

tag=${1:?usage: set-version.sh vMAJOR.MINOR.PATCH[-PRERELEASE]}
if ! [[ $tag =~ ^v(0|[1-9][0-9]*)(\.(0|[1-9][0-9]*)){2}(-[0-9A-Za-z]+([.-][0-9A-Za-z]+)*)?$ ]]; then
    echo "set-version.sh: the tag $tag is not v followed by a semantic version, such as v1.2.3 or v1.2.3-rc.1" >&2
    exit 65
fi
version=${tag#v}
if ! grep -qF "## [$version]" .github/CHANGELOG.md; then
    echo "set-version.sh: .github/CHANGELOG.md has no section \"## [$version] - DATE\"; rename \"Unreleased\"" >&2
    exit 65
fi
file=Sources/Telemetry/Metrics/BuildInformation.swift
sed -i "s/\(static let version = \)\"[^\"]*\"/\1\"$version\"/" "$file"
grep -qF "static let version = \"$version\"" "$file"
echo "$version"
