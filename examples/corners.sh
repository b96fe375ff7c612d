#!/usr/bin/env bash
# All four corners pool x index mode over batch, length and page size, each verified before it is
# timed. usage: corners.sh KVPROF [DB]
set -euo pipefail
kvprof=$1
db=${2:-corners.db}
common=(--layers 1 --samples 10 --passes timing+counts --label corners --db "$db" --no-progress
    --vary "pool=static,unified" --vary "index-mode=rectangle,stream" --vary "page-size=1,64")

"$kvprof" run "${common[@]}" --vary batch=1,8,64,256 --vary seq-len=1024,8224 "${@:3}"
# 8.4 million tokens: the largest pool that the card holds.
"$kvprof" run "${common[@]}" --batch 64 --seq-len 131072 "${@:3}"
