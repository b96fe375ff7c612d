#!/bin/sh
# Where does the token stream pay? The same A/B over batch sizes and lengths, as a matrix.
# Usage: rectangle_vs_stream.sh KVPROF [option of kvprof run...]
set -eu
kvprof=${1:?usage: rectangle_vs_stream.sh KVPROF [option of kvprof run...]}
shift
# Without a GPU: a small model on the host executor.
"$kvprof" doctor --require-gpu > /dev/null || set -- --executor host --preset tiny-mla \
    --max-batch 16 --max-context 8192 --samples 10 --warmup-max 3 "$@"
"$kvprof" run --vary index-mode=rectangle,stream --vary batch=1,8 --vary seq-len=128,1024 \
    --repeats 2 --label rectangle-vs-stream "$@"
"$kvprof" diff --by index-mode @latest
