#!/usr/bin/env bash
# Fuzzes the tokens' parser, their claims, and the readers of key files with libFuzzer and AddressSanitizer.
#
#   Tests/Fuzzers/Token/run.sh [MINUTES, default 10] [further options of libFuzzer]
#
# As Tests/Fuzzers/run.sh: FUZZ_BUILD moves the build and what was found (default .build/fuzz-token).
set -euo pipefail
cd "$(dirname "$0")/../../.."

minutes=${1:-10}
shift $(($# > 0 ? 1 : 0))
build=${FUZZ_BUILD:-.build/fuzz-token}
mkdir -p "$build/found"

# `-sanitize=fuzzer` would make swiftc ask for a kind of coverage that libFuzzer no longer reads.
options=(
    -sanitize=address -sanitize-coverage=edge,inline-8bit-counters,pc-table,trace-cmp -swift-version 6 -O -wmo
    -parse-as-library -package-name presign -I Sources/COpenSSL -I "$build"
)
for feature in ExistentialAny InternalImportsByDefault MemberImportVisibility; do
    options+=(-enable-upcoming-feature "$feature")
done

module() { # NAME FILES...: one object file
    local name=$1
    shift
    swiftc "${options[@]}" -enable-testing -module-name "$name" -emit-module \
        -emit-module-path "$build/$name.swiftmodule" -c "$@" -o "$build/$name.o"
}

service=Sources/PresignService
module Bytes Sources/Bytes/*.swift
module CryptoHashing Sources/CryptoHashing/*.swift
module SignatureVerification Sources/SignatureVerification/*.swift
# The part of the service that reads tokens.
module PresignService $service/JSON/*.swift $service/Authentication/Tokens/*.swift \
    $service/Authentication/APIKey.swift $service/Authorization/Caller*.swift \
    $service/Authorization/ObjectKey*.swift $service/Configuration/Configuration{Error,Node}*.swift \
    $service/Configuration/TokenIssuer*.swift $service/Configuration/YAML/*.swift
module FuzzToken Tests/Fuzzers/Token/*.swift
swiftc -sanitize=fuzzer,address -use-ld=lld "$build"/*.o -lcrypto -o "$build/fuzz-token"

# What is wrong stands in the last line; a backtrace of a sanitized program takes minutes.
export SWIFT_BACKTRACE=enable=no
exec "$build/fuzz-token" -max_total_time=$((minutes * 60)) -max_len=4096 -timeout=10 -rss_limit_mb=1024 \
    -dict=Tests/Fuzzers/Token/dictionary.txt -artifact_prefix="$build/" -print_final_stats=1 "$@" \
    "$build/found" Tests/Fuzzers/Token/Corpus
