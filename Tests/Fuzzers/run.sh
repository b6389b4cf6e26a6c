#!/usr/bin/env bash
# Fuzzes the code that reads untrusted input, with libFuzzer and AddressSanitizer.
#
#   Tests/Fuzzers/run.sh [MINUTES per target, default 10] [TARGET...] [libFuzzer options]
#
# Targets (default: all): HTTP (parser and connection), JSON, Form, Path (object key checks), Batch (items of a batch),
# Rules (a policy in YAML and a request), Token (tokens, claims, key files). All but the last compare the code with a
# simple second implementation. Needs clang's and swiftc's sanitizer runtimes, which the Swift toolchain contains.
# FUZZ_BUILD sets the folder for the build and the findings (default .build/fuzz), PRESIGN_SWIFT the build command
# (default swift). New inputs go to FUZZ_BUILD/found; Corpus has the seed inputs. An input that fails a check is written
# to FUZZ_BUILD/crash-TARGET-*, and the script fails; add it to Corpus, which the unit tests check too.
set -euo pipefail
cd "$(dirname "$0")/../.."

known=(HTTP JSON Form Path Batch Rules Token)
minutes=10
[[ ${1:-} =~ ^[0-9]+$ ]] && { minutes=$1; shift; }
targets=()
while [[ $# -gt 0 && $1 != -* ]]; do
    [[ " ${known[*]} " == *" $1 "* ]] || { echo "unknown target $1; known: ${known[*]}" >&2; exit 64; }
    targets+=("$1")
    shift
done
[ ${#targets[@]} -gt 0 ] || targets=("${known[@]}")
build=${FUZZ_BUILD:-.build/fuzz}
swift=${PRESIGN_SWIFT:-swift}

# Not `-sanitize=fuzzer`: swiftc would then emit a kind of coverage that libFuzzer no longer reads.
coverage=-sanitize-coverage=edge,inline-8bit-counters,pc-table,trace-cmp
# All objects are linked, so remove those of deleted sources, and the build plan that refers to them.
rm -rf "$build"/release/*
for target in PresignService HTTPServerTestSupport HTTP1TestSupport AccessRulesTestSupport; do
    "$swift" build --scratch-path "$build" -c release --sanitize address --target "$target" \
        -Xswiftc "$coverage" -Xswiftc -enable-testing -Xcc "-f${coverage#-}"
done
products=$(realpath "$build/release")

objects=()
while IFS= read -r object; do objects+=("$object"); done < <(find "$products"/*.build -name '*.o')
# The checks use declarations with `package` access. Swift names the package by its folder.
package=$(basename "$PWD" | tr '[:upper:]' '[:lower:]' | tr -c '[:alnum:]\n' _)
options=(-swift-version 6 -package-name "$package" -O -wmo -parse-as-library -sanitize=address "$coverage")
options+=(-I "$products/Modules")
for feature in ExistentialAny InternalImportsByDefault MemberImportVisibility; do
    options+=(-enable-upcoming-feature "$feature")
done
while IFS= read -r folder; do options+=(-I "$folder"); done < <(find Sources -name module.modulemap -printf '%h\n')
# The build generates module maps for C modules that have none.
for map in "$products"/C*.build/module.modulemap; do options+=(-Xcc "-fmodule-map-file=$map"); done

link() { # link NAME SOURCE...
    local name=$1
    shift
    swiftc "${options[@]}" -module-name "$name" -c "$@" -o "$products/$name.o"
    swiftc -sanitize=fuzzer,address -use-ld=lld "$products/$name.o" "${objects[@]}" -lssl -lcrypto -lcurl \
        -o "$products/$name"
}

# The checks are shared with the unit tests of the corpus.
if [[ " ${targets[*]} " == *" HTTP "* ]]; then
    link FuzzHTTP Tests/Fuzzers/HTTP/*.swift Tests/Unit/HTTPServerTests/{ConnectionFixture,ConnectionRun,InputChecks}.swift
fi
if [[ " ${targets[*]} " =~ \ (JSON|Form|Path|Batch|Rules|Token)\  ]]; then
    mapfile -t checks < <(find Tests/Unit/FuzzCorpusTests -name '*.swift' ! -name CorpusTests.swift)
    link FuzzService Tests/Fuzzers/Service/*.swift "${checks[@]}"
fi

# The last output line names the failed check; a backtrace of a sanitized program takes minutes.
export SWIFT_BACKTRACE=enable=no
failed=()
for target in "${targets[@]}"; do
    mkdir -p "$build/found/$target"
    program=FuzzService dictionary=Tests/Fuzzers/Service/$target.dictionary.txt
    [ "$target" = HTTP ] && program=FuzzHTTP dictionary=Tests/Fuzzers/HTTP/dictionary.txt
    echo "== $target, $minutes minutes"
    FUZZ_TARGET=$target "$products/$program" -max_total_time=$((minutes * 60)) -max_len=2048 -timeout=10 \
        -rss_limit_mb=1024 -dict="$dictionary" -artifact_prefix="$build/crash-$target-" -print_final_stats=1 "$@" \
        "$build/found/$target" "Tests/Fuzzers/Corpus/$target" || failed+=("$target")
done
[ ${#failed[@]} -eq 0 ] || { echo "FAILED: ${failed[*]}; see $build/crash-*" >&2; exit 1; }
