#!/bin/sh
# What does a unified pool cost each model, with an attention backend that serves it? One A/B a
# model: static against unified, every stage of the engine's history applied.
# Usage: static_vs_unified_models.sh KVPROF [--only PRESET,...] [option of kvprof run...]
set -eu
kvprof=${1:?usage: static_vs_unified_models.sh KVPROF [--only PRESET,...] [option of kvprof run...]}
shift
only=
if [ "${1:-}" = --only ]; then
    only=",${2:?--only takes presets},"
    shift 2
fi
# Batches whose steps take 2 to 8 ms on an H200, so that an A/B of 12 runs takes half a minute.
while read -r preset backend page batch; do
    case "$only" in '' | *",$preset,"*) ;; *) continue ;; esac
    "$kvprof" run --ab pool=static pool=unified --preset "$preset" --attention-backend "$backend" \
        --page-size "$page" --batch "$batch" --seq-len 8224 --label "$preset" "$@" </dev/null
done <<'MODELS'
kimi-linear-48b flashinfer_mla 1 64
falcon-h1-1.5b flashinfer 1 64
gpt-oss-20b triton 1 64
gemma-4-e2b triton 1 64
qwen3.5-0.8b fa3 1 64
inkling-small fa3 1 32
llama-3.1-8b trtllm_mha 16 16
qwen3-32b fa3 1 8
deepseek-v3 flashmla 64 16
MODELS
