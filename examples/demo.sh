#!/bin/sh
# The headline comparison as an A/B: the page-table rectangle against the packed token stream, on
# the unified pool. Usage: demo.sh KVPROF [option of kvprof run...]
#
# With a GPU: Kimi-Linear-48B's decode step, batch 64, 8,224 tokens a lane. Without one: a small
# model on the host executor, where counts and bytes are those of the GPU and times are not.
set -eu

kvprof=${1:?usage: demo.sh KVPROF [option of kvprof run...]}
shift
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
KVPROF_DB=${KVPROF_DB:-$here/../.kvprof/demo.db}
export KVPROF_DB

if "$kvprof" doctor --require-gpu > /dev/null; then
    set -- --preset kimi-linear-48b --batch 64 --seq-len 8224 "$@"
else
    "$kvprof" doctor
    set -- --executor host --preset tiny-mla --batch 8 --max-batch 16 --seq-len 512 \
        --max-context 8192 --samples 10 --warmup-max 0.5 "$@"
fi

echo "kvprof run --ab index-mode=rectangle index-mode=stream --pool unified --runs 6 $*"
"$kvprof" run --ab index-mode=rectangle index-mode=stream --pool unified --runs 6 --label demo "$@"
