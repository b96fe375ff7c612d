#!/bin/sh
# What does a unified pool cost each model, with the attention backend that serves it? One A/B a
# model: static against unified, every stage of the engine's history applied.
# Usage: static_vs_unified_models.sh KVPROF [option of kvprof run...]
set -eu
kvprof=${1:?usage: static_vs_unified_models.sh KVPROF [option of kvprof run...]}
shift
# A model with the batch that fits one GPU of 141 GB at 8,224 tokens a lane.
while read -r preset backend page batch; do
    "$kvprof" run --ab pool=static pool=unified --preset "$preset" --attention-backend "$backend" \
        --page-size "$page" --batch "$batch" --seq-len 8224 --label "$preset-$backend" "$@" </dev/null
done <<'MODELS'
kimi-linear-48b flashinfer_mla 1 64
falcon-h1-1.5b flashinfer 1 64
gpt-oss-20b triton 1 64
gemma-4-e2b triton 1 64
qwen3.5-0.8b fa3 1 64
inkling-small fa3 1 32
llama-3.1-8b trtllm_mha 16 64
qwen3-32b fa3 1 16
deepseek-v3 flashmla 64 64
MODELS
