#!/usr/bin/env bash
# Checks the form of files without building: swift-format; syntax, columns and blanks of the JavaScript; shellcheck.
#
#   Tests/lint.sh [FILE]...     default: every file in git
#
# Needs Swift, node and shellcheck; says which of the last two is missing, and fails if CI is set.
set -euo pipefail
cd "$(git rev-parse --show-toplevel)"

if [ $# -eq 0 ]; then mapfile -t files < <(git ls-files); else files=("$@"); fi

select_files() { # select_files PATTERN: prints those that exist and whose path matches
    local file
    for file in "${files[@]}"; do
        if [ -f "$file" ] && [[ $file =~ $1 ]]; then printf '%s\0' "$file"; fi
    done
}

has() { # has PROGRAM
    command -v "$1" >/dev/null && return
    echo "lint.sh: $1 is not installed: its checks are skipped" >&2
    if [ -n "${CI-}" ]; then exit 1; fi
    return 1
}

select_files '\.swift$' | xargs -0r "${PRESIGN_SWIFT:-swift}" format lint --strict --configuration .swift-format
select_files '\.(js|mjs|ts|css|html)$' | xargs -0r python3 Tests/columns.py
if has node; then
    # As modules, which a file's name does not say.
    select_files '\.m?js$' | xargs -0r -n 1 -P 4 sh -c \
        'node --input-type=module --check <"$0" || { echo "$0: not valid" >&2; exit 1; }'
fi
if has shellcheck; then select_files '\.sh$|^\.ci/run$|^Tests/clients/commands/' | xargs -0r shellcheck --severity=warning; fi
