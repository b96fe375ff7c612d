#!/bin/sh
# What does the indirection of a unified pool cost a step?
# Usage: static_vs_unified.sh KVPROF [option of kvprof run...]
set -eu
kvprof=${1:?usage: static_vs_unified.sh KVPROF [option of kvprof run...]}
shift
# Without a GPU: a small model on the host executor.
"$kvprof" doctor --require-gpu > /dev/null || set -- --executor host --preset tiny-mla --batch 8 \
    --max-batch 16 --seq-len 512 --max-context 8192 --samples 10 --warmup-max 3 "$@"
"$kvprof" run --vary pool=static,unified --repeats 2 --label static-vs-unified "$@"
"$kvprof" diff --by pool @latest
