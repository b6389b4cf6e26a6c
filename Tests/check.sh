#!/usr/bin/env bash
# Checks a change: the form of the changed files, and the unit tests of the changed modules. Takes about a minute after
# the first build.
#
#   Tests/check.sh [COMMIT]     changes since the common ancestor with COMMIT (default origin/main, else HEAD), with
#                               those that are not committed
#
# As a hook: ln -s ../../Tests/check.sh .git/hooks/pre-commit
set -euo pipefail
cd "$(git rev-parse --show-toplevel)"
swift=${PRESIGN_SWIFT:-swift}

base=${1:-$(git rev-parse -q --verify origin/main || echo HEAD)}
mapfile -t files < <({ git diff --name-only "$(git merge-base "$base" HEAD)"; git ls-files -o --exclude-standard; } | sort -u)
if [ ${#files[@]} -eq 0 ]; then
    echo "nothing has changed"
    exit
fi
Tests/lint.sh "${files[@]}"

suites=()
for file in "${files[@]}"; do
    IFS=/ read -r first second third _ <<<"$file"
    case $file in
        Tests/Unit/*/*) suites+=("$third") ;;
        Tests/Compatibility/*) suites+=(CompatibilityTests) ;;
        # They have no tests of their own.
        Sources/Requests/*) suites+=(AccessRulesTests PresignServiceTests) ;;
        Sources/CEmbeddedFiles/* | Sources/UploadPage/*) suites+=(UploadPageTests DocumentationTests) ;;
        Sources/presign/*.swift) suites+=(PresignCommandTests) ;;
        Sources/*/*.swift) [ ! -d "Tests/Unit/${second}Tests" ] || suites+=("${second}Tests") ;;
        config/openapi.yaml) suites+=(CompatibilityTests) ;;
        config/*.yaml) suites+=(PresignServiceTests) ;;
    esac
    # What documents say about code, and about each other.
    case $first in Sources | config | .github | README.md | Package.swift) suites+=(DocumentationTests) ;; esac
done
if [ ${#suites[@]} -eq 0 ]; then
    echo "the change has no unit tests"
    exit
fi

"$swift" build --build-tests -q
filter="^($(printf '%s\n' "${suites[@]}" | sort -u | paste -sd '|'))\\."
echo "unit tests: $filter"
NO_COLOR=1 "$("$swift" build --show-bin-path)/presignPackageTests.xctest" --testing-library swift-testing \
    --filter "$filter" 2>&1 | { grep -E 'recorded an issue|^↳|(passed|failed) after .* issue|Test run' || true; }
