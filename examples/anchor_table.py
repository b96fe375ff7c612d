#!/usr/bin/env python3
"""Measures the index kernels at the anchor shapes and prints them beside a reference.

usage: anchor_table.py KVPROF [--db PATH] [--reference CSV] [--only BATCHxSEQ,...] [--op OP]
                       [--shipped]

Each shape runs as `kvprof run --op ...` in processes of its own: page size 1, tables 1,048,576 wide,
20 launches a graph, medians under graph replay. The reference column holds microseconds measured
once on an H200 with the engine's own kernels (anchors_h200.csv); other devices get no ratio. Skewed
batches (one lane more, of another length) have no reference. Time over floor is kvprof's own
(docs/roofline.md). --shipped leaves out what only shows how it was: the context grid, the
rectangle with its repack, and v2p in int64. Prints Markdown; exits 1 when a run is not complete.
"""
import argparse
import csv
import json
import math
import pathlib
import subprocess
import sys

COMMON = ["--max-batch", "257", "--max-context", "1048576", "--page-size", "1"]
# one `kvprof run` each: op, the fields that vary, and the reference's column per variant
SERIES = [
    ("page-table", ["grid=ctx,bs", "v2p=int64,int32"], lambda s: "table_" + s["grid"]),
    ("token-stream", ["index-mode=rectangle,stream", "v2p=int64,int32"],
     lambda s: {"rectangle": "table_repack", "stream": "stream"}[s["index-mode"]]),
    ("repack", [], lambda s: "repack"),
]
SHIPPED = [
    ("page-table", [], lambda s: "table_bs"),
    ("token-stream", [], lambda s: "stream"),
]
SKEWED = [("64", "1024", "1000000"), ("256", "1024", "131072")]


def measure(kvprof, db, shape, op, varied):
    """All runs of one series at one shape, as JSON objects."""
    batch, seq_len, long_len = shape
    lanes = ["--batch", batch, "--seq-len", seq_len]
    if long_len:
        lanes = ["--batch", str(int(batch) + 1), "--seq-len", seq_len, "--length-law", "one-long",
                 "--long-len", long_len]
    command = [kvprof, "run", "--op", op, *lanes, *COMMON,
               "--vary", "fragmentation=identity,random", "--json", "--no-progress",
               "--label", "anchors", "--passes", "timing", "--db", db]
    for axis in varied:
        command += ["--vary", axis]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if not done.stdout.strip():
        sys.exit(f"{' '.join(command)}\nexited with {done.returncode}:\n{done.stderr}")
    return json.loads(done.stdout)["runs"]


def median_us(run):
    for metric in run["metrics"]:
        if metric["id"] == "op.gpu_time" and metric["median"] is not None:
            return metric["median"] / 1000.0
    return None


def over_floor(run):
    ratios = [op["over_floor"] for op in run["roofline"]["ops"] if op["over_floor"] is not None]
    return f"{ratios[0]:.2f}" if ratios else ""


def main():
    here = pathlib.Path(__file__).resolve().parent
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("kvprof")
    parser.add_argument("--db", default="anchors.db")
    parser.add_argument("--reference", default=here / "anchors_h200.csv")
    parser.add_argument("--only", default="")
    parser.add_argument("--op", default="", help="page-table, token-stream or repack alone")
    parser.add_argument("--shipped", action="store_true")
    options = parser.parse_args()
    with open(options.reference, encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    only = [shape for shape in options.only.split(",") if shape]
    shapes = list(dict.fromkeys((row["batch"], row["seq_len"], "") for row in rows)) + SKEWED
    series = [one for one in (SHIPPED if options.shipped else SERIES) if options.op in ("", one[0])]
    reference = {(row["batch"], row["seq_len"], row["ids"]): row for row in rows}

    print("| batch | seq | ids | kernel | v2p | us | reference us | ratio | over floor |")
    print("|--:|--:|---|---|---|--:|--:|--:|--:|")
    ratios, failed = {}, 0
    for shape in shapes:
        batch, seq_len, long_len = shape
        if only and f"{batch}x{seq_len}" not in only:
            continue
        lengths = f"{seq_len} + {long_len}" if long_len else seq_len
        for op, varied, column in series:
            for run in measure(options.kvprof, options.db, shape, op, varied):
                step = run["step"]
                ids, kernel = step["fragmentation"], column(step)
                width = "-" if op == "repack" else step["v2p"]
                head = f"| {batch} | {lengths} | {ids} | {kernel} | {width} |"
                time = median_us(run)
                if time is None:
                    failed += 1
                    print(f"{head} {run['status']['state']}: {run['status']['reason']} | | | |")
                    continue
                known = not long_len and "H200" in run["environment"]["device-name"]
                wanted = float(reference[batch, seq_len, ids][kernel]) if not long_len else ""
                ratio = f"{time / wanted:.3f}" if known else ""
                if known:
                    ratios.setdefault((kernel, width, ids), []).append(time / wanted)
                print(f"{head} {time:.2f} | {wanted} | {ratio} | {over_floor(run)} |", flush=True)
    if ratios:
        print("\n| kernel | v2p | ids | worst ratio | geometric mean |\n|---|---|---|--:|--:|")
        for (kernel, width, ids), values in sorted(ratios.items()):
            mean = math.exp(sum(map(math.log, values)) / len(values))
            print(f"| {kernel} | {width} | {ids} | {max(values):.3f} | {mean:.3f} |")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
