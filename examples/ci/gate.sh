#!/bin/sh
# What the pipelines beside this file have in common.
#
#   gate.sh build CHECKOUT PRESET           builds CHECKOUT/build/PRESET/cli/kvprof (host or cuda)
#   gate.sh gpu   BASE HEAD [option...]     times, counts and bytes; needs a GPU
#   gate.sh exact BASE HEAD [option...]     counts and bytes alone; needs none
#
# BASE and HEAD are kvprof programs, options those of `kvprof run`. Both sides are measured now, in
# alternation, on this machine. The exit code is that of `kvprof gate`.
#
#   KVPROF_DB           store of this gate's runs: an artifact        (kvprof-gate.db)
#   KVPROF_CALIBRATION  store with the noise of this runner and step: a cache, made anew when it is
#                       not there                                     (kvprof-calibration.db)
#   KVPROF_POLICY       the policy                                    (kvprof.toml, kvprof-exact.toml)
#   KVPROF_FORMAT       form of the result: github writes annotations, the summary and the outputs
#                       of the step; md, junit and the others write a file    (md)
#   KVPROF_REPORT       that file                                     (kvprof-gate.md)
#   KVPROF_PAGE         the runs that were measured last, as HTML: an artifact (kvprof-gate.html)
set -eu

usage="usage: gate.sh build CHECKOUT PRESET | gate.sh gpu|exact BASE HEAD [option...]"
mode=${1:?$usage}
first=${2:?$usage}
second=${3:?$usage}
shift 3
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)

if [ "$mode" = build ]; then
    cd -- "$first"
    .ci/install-packages build
    cmake --preset "$second" -DBUILD_TESTING=OFF
    cmake --build "build/$second" --target kvprof
    exit
fi

KVPROF_DB=${KVPROF_DB:-kvprof-gate.db}
KVPROF_CALIBRATION=${KVPROF_CALIBRATION:-kvprof-calibration.db}
export KVPROF_DB
format=${KVPROF_FORMAT:-md}
report=${KVPROF_REPORT:-kvprof-gate.md}
page=${KVPROF_PAGE:-kvprof-gate.html}

case $mode in
    gpu)
        policy=${KVPROF_POLICY:-$here/../kvprof.toml}
        set -- --preset kimi-linear-48b --batch 64 --seq-len 8224 "$@"
        # What identical code shows on this runner between runs; name another file for another step.
        if [ ! -e "$KVPROF_CALIBRATION" ]; then
            rm -f -- "$KVPROF_CALIBRATION.new"
            KVPROF_DB="$KVPROF_CALIBRATION.new" "$second" calibrate "$@" --runs 12
            mv -- "$KVPROF_CALIBRATION.new" "$KVPROF_CALIBRATION"
        fi
        [ -e "$KVPROF_DB" ] || cp -- "$KVPROF_CALIBRATION" "$KVPROF_DB"
        # A regression is measured a second time before it fails the pipeline.
        set -- --confirm "$@"
        ;;
    exact)
        policy=${KVPROF_POLICY:-$here/kvprof-exact.toml}
        set -- --executor host --preset tiny-mla --batch 8 --max-batch 16 --seq-len 512 \
            --max-context 8192 --samples 2 --warmup-max 0.05 --passes timing --runs 1 "$@"
        ;;
    *)
        echo "$usage" >&2
        exit 2
        ;;
esac

# kvprof itself hands the runner what it shows of a pull request.
if [ "$format" = github ]; then
    set -- --format github "$@"
else
    set -- --format "$format" --output "$report" "$@"
fi

rm -f -- "$report" "$page"
code=0
"$second" gate --ab "program=$first" "program=$second" --policy "$policy" "$@" || code=$?
if [ "$format" = md ] && [ -e "$report" ]; then
    cat -- "$report"
fi
# 2: nothing was measured. The answer is the gate's, whatever becomes of the page.
if [ "$code" -ne 2 ]; then
    "$second" report @latest --policy "$policy" --format html --output "$page" || true
fi
exit "$code"
