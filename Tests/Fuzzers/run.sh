#!/usr/bin/env bash
# Fuzzes the HTTP parser and the connection behind it with libFuzzer and AddressSanitizer.
#
#   Tests/Fuzzers/run.sh [MINUTES, default 30] [further options of libFuzzer]
#
# Needs clang's and swiftc's sanitizer runtimes, which Swift's toolchain has. FUZZ_BUILD moves the build and what was
# found (default .build/fuzz). New inputs are kept there; Corpus holds the few the next run starts from. An input that
# breaks a rule is written to FUZZ_BUILD/crash-*, and the script fails.
set -euo pipefail
cd "$(dirname "$0")/../.."

minutes=${1:-30}
shift $(($# > 0 ? 1 : 0))
build=${FUZZ_BUILD:-.build/fuzz}
mkdir -p "$build/found"

# `-sanitize=fuzzer` would make swiftc ask for a kind of coverage that libFuzzer no longer reads.
sanitize=(-sanitize=address -sanitize-coverage=edge,inline-8bit-counters,pc-table,trace-cmp)
language=(-swift-version 6 -O -I Sources/CSockets/include)
for feature in ExistentialAny InternalImportsByDefault MemberImportVisibility; do
    language+=(-enable-upcoming-feature "$feature")
done
checks=(ParserFixture ConnectionFixture ConnectionRun ScriptedHandler NaiveReader NaiveHead InputChecks SplitMix)
checks=("${checks[@]/#/Tests/HTTPServingTests/}")
checks=("${checks[@]/%/.swift}")

for source in Sources/CSockets/*.c; do
    clang -O1 -g -fsanitize=fuzzer-no-link,address -I Sources/CSockets/include \
        -c "$source" -o "$build/$(basename "$source" .c).o"
done
# One object file for each module; of the engine with what tests may see.
swiftc "${language[@]}" "${sanitize[@]}" -parse-as-library -wmo -module-name Bytes \
    -emit-module -emit-module-path "$build/Bytes.swiftmodule" -c Sources/Bytes/*.swift -o "$build/Bytes.o"
swiftc "${language[@]}" "${sanitize[@]}" -parse-as-library -enable-testing -wmo -module-name HTTPServing -I "$build" \
    -emit-module -emit-module-path "$build/HTTPServing.swiftmodule" -c Sources/HTTPServing/*.swift \
    -o "$build/HTTPServing.o"
swiftc "${language[@]}" "${sanitize[@]}" -parse-as-library -wmo -module-name FuzzHTTP -I "$build" \
    -c Tests/Fuzzers/HTTP/*.swift "${checks[@]}" -o "$build/FuzzHTTP.o"
swiftc -sanitize=fuzzer,address -use-ld=lld "$build"/*.o -o "$build/fuzz-http"

# What is wrong stands in the last line; a backtrace of a sanitized program takes minutes.
export SWIFT_BACKTRACE=enable=no
exec "$build/fuzz-http" -max_total_time=$((minutes * 60)) -max_len=2048 -timeout=10 -rss_limit_mb=1024 \
    -dict=Tests/Fuzzers/HTTP/dictionary.txt -artifact_prefix="$build/" -print_final_stats=1 "$@" \
    "$build/found" Tests/Fuzzers/Corpus
