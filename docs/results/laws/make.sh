#!/bin/sh
# Writes the reports of this folder from their runs. Usage: make.sh KVPROF
set -eu
kvprof=${1:?usage: make.sh KVPROF}
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for packed in "$here"/*.db.gz; do
    stem=$(basename "$packed" .db.gz)
    gzip -dc "$packed" > "$work/$stem.db"
    "$kvprof" report --db "$work/$stem.db" --format md -o "$here/$stem.md"
done
