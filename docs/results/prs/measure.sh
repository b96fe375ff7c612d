#!/bin/sh
# Measures the four comparisons of this folder on a GPU into a store, about 12 minutes on an H200.
# Usage: measure.sh KVPROF DB
set -eu
kvprof=${1:?usage: measure.sh KVPROF DB}
KVPROF_DB=${2:?usage: measure.sh KVPROF DB}
export KVPROF_DB
ab() {
    label=$1
    shift
    "$kvprof" run --ab "$@" --batch 64 --seq-len 8224 --runs 8 --order-seed 42 --passes all \
        --keep-events 1 --label "$label" -q --format md
}
ab grid grid=ctx grid=bs --index-mode rectangle
ab stream index-mode=rectangle index-mode=stream
ab fused alloc=eager,write=eager alloc=fused,write=fused --churn 0.125
ab pool pool=static pool=unified
"$kvprof" calibrate --batch 64 --seq-len 8224 --runs 20 -q
