#!/bin/sh
# Writes the reports of this folder from its runs. Usage: make.sh KVPROF [OUT]
set -eu
kvprof=${1:?usage: make.sh KVPROF [OUT]}
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
out=${2:-$here}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$out"
gzip -dc "$here/runs.db.gz" > "$work/runs.db"
for pr in grid stream fused pool; do
    for form in md html; do
        "$kvprof" report "$pr" --db "$work/runs.db" --claims "$here/$pr.toml" -o "$out/$pr.$form"
    done
done
