#!/usr/bin/env python3
"""Measures the index kernels at the anchor shapes and prints them beside a reference.

usage: anchor_table.py KVPROF [--db PATH] [--reference CSV] [--only BATCHxSEQ,...]

Each shape runs as `kvprof run --op ...` in processes of its own: page size 1, tables 1,048,576 wide,
20 launches a graph, medians under graph replay. The reference column holds microseconds measured
once on an H200 with the engine's own kernels (anchors_h200.csv); other devices get no ratio.
Prints Markdown; exits 1 when a run is not complete.
"""
import argparse
import csv
import json
import pathlib
import subprocess
import sys

COMMON = ["--max-batch", "256", "--max-context", "1048576", "--page-size", "1"]
# one `kvprof run` each: op, the fields that vary, and the reference's column per variant
SERIES = [
    ("page-table", ["grid=ctx,bs", "v2p=int64,int32"], lambda s: "table_" + s["grid"]),
    ("token-stream", ["index-mode=rectangle,stream", "v2p=int64,int32"],
     lambda s: {"rectangle": "table_repack", "stream": "stream"}[s["index-mode"]]),
    ("repack", [], lambda s: "repack"),
]


def measure(kvprof, db, batch, seq_len, op, varied):
    """All runs of one series at one shape, as JSON objects."""
    command = [kvprof, "run", "--op", op, "--batch", batch, "--seq-len", seq_len, *COMMON,
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


def main():
    here = pathlib.Path(__file__).resolve().parent
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("kvprof")
    parser.add_argument("--db", default="anchors.db")
    parser.add_argument("--reference", default=here / "anchors_h200.csv")
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    with open(options.reference, encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    only = [shape for shape in options.only.split(",") if shape]
    shapes = list(dict.fromkeys((row["batch"], row["seq_len"]) for row in rows))
    reference = {(row["batch"], row["seq_len"], row["ids"]): row for row in rows}

    print("| batch | seq | ids | kernel | v2p | us | reference us | ratio |")
    print("|--:|--:|---|---|---|--:|--:|--:|")
    worst, failed = {}, 0
    for batch, seq_len in shapes:
        if only and f"{batch}x{seq_len}" not in only:
            continue
        for op, varied, column in SERIES:
            for run in measure(options.kvprof, options.db, batch, seq_len, op, varied):
                step = run["step"]
                ids, kernel = step["fragmentation"], column(step)
                width = "-" if op == "repack" else step["v2p"]
                time = median_us(run)
                if time is None:
                    failed += 1
                    print(f"| {batch} | {seq_len} | {ids} | {kernel} | {width} | "
                          f"{run['status']['state']}: {run['status']['reason']} | | |")
                    continue
                wanted = float(reference[batch, seq_len, ids][kernel])
                on_h200 = "H200" in run["environment"]["device-name"]
                ratio = f"{time / wanted:.3f}" if on_h200 else ""
                if on_h200:
                    key = (kernel, width, ids)
                    worst[key] = max(worst.get(key, 0.0), time / wanted)
                print(f"| {batch} | {seq_len} | {ids} | {kernel} | {width} | {time:.2f} | {wanted} | {ratio} |",
                      flush=True)
    if worst:
        print("\n| kernel | v2p | ids | worst ratio |\n|---|---|---|--:|")
        for (kernel, width, ids), ratio in sorted(worst.items()):
            print(f"| {kernel} | {width} | {ids} | {ratio:.3f} |")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
