#!/usr/bin/env bash
# Feeds both readers of profiles with broken ones: the cases of tests/data/traces are the seeds.
# usage: run.sh FOLDER [SECONDS]   FOLDER holds fuzz_kineto and fuzz_nsys; SECONDS for each (60)
set -euo pipefail
folder=$(cd "$1" && pwd)
seconds=${2:-60}
cases=$(cd "$(dirname "$0")/../data/traces/cases" && pwd)
for reader in kineto nsys; do
    work=$folder/corpus_$reader
    seeds=$folder/seeds_$reader
    rm -rf "$seeds"
    mkdir -p "$work" "$seeds"
    case $reader in
        kineto) cp "$cases"/*.json "$cases"/*.json.gz "$seeds" ;;
        nsys) cp "$cases"/*.sqlite "$seeds" ;;
    esac
    echo "== $reader, $seconds s"
    (cd "$folder" && "./fuzz_$reader" -max_total_time="$seconds" -max_len=65536 -timeout=20 \
        -rss_limit_mb=3000 -print_final_stats=1 "$work" "$seeds" 2>&1 \
        | grep -E 'ERROR|SUMMARY|stat::number_of_executed|Test unit written|DONE|deadly|leak' || true
     exit "${PIPESTATUS[0]}")
done
