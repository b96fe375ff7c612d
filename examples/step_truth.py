#!/usr/bin/env python3
"""What CUPTI says of a step on this GPU: grids, attribution, launch calls, a delay that must be
found, tracing overhead by number of nodes, and graph memory.

usage: step_truth.py KVPROF [--db FILE] [--parts grids,calls,delay,overhead,memory]

Runs kvprof, reads the runs back from its store, and prints one Markdown table a part. Ends with
exit code 1 when a line does not hold.
"""
import argparse
import json
import os
import sqlite3
import statistics
import subprocess
import sys

PLAIN = ["--preset", "kimi-linear-48b", "--batch", "64", "--seq-len", "8224", "--max-context", "1Mi"]
MIB = 1 << 20
failures = []


def expect(holds, what):
    if not holds:
        failures.append(what)
    return "yes" if holds else "NO"


class Store:
    """Runs of one kvprof store, read through its documented tables."""

    def __init__(self, kvprof, path):
        self.kvprof, self.path = kvprof, path

    def run(self, *options):
        """Measures; returns the ids of the new runs in their order."""
        before = self.ids()
        command = [self.kvprof, "run", "--db", self.path, "--no-progress", "--quiet",
                   "-o", os.devnull, *options]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode != 0:
            failures.append(f"exit {done.returncode}: {' '.join(options)}: {done.stderr.strip()}")
        return [run for run in self.ids() if run not in before]

    def ids(self):
        if not os.path.exists(self.path):
            return []
        return [row[0] for row in self.query("SELECT id FROM run ORDER BY id")]

    def query(self, sql, *values):
        with sqlite3.connect(self.path) as store:
            return store.execute(sql, values).fetchall()

    def one(self, sql, *values):
        rows = self.query(sql, *values)
        return rows[0] if rows else None

    def step_us(self, run):
        rows = self.query("SELECT gpu_time_ns * 1e-3 / replays FROM sample WHERE run_id = ?", run)
        return statistics.median(row[0] for row in rows) if rows else float("nan")

    def pass_us(self, run, name):
        rows = self.query(
            "SELECT gpu_time_ns * 1e-3 / steps FROM pass_batch WHERE run_id = ? AND pass = ?",
            run, name)
        return statistics.median(row[0] for row in rows) if rows else float("nan")

    def ledger(self, run):
        """The ledger of time that `kvprof show` prints."""
        uuid = self.one("SELECT uuid FROM run WHERE id = ?", run)[0]
        shown = subprocess.run([self.kvprof, "show", "--db", self.path, "--json", uuid],
                               capture_output=True, text=True, check=True)
        return json.loads(shown.stdout)["runs"][0]["ledger"]

    def evidence(self, run, name):
        return self.one(
            "SELECT failure, steps, records, dropped, untimed, orphans, by_node, by_launch, "
            "unattributed, nodes_cross_checked FROM pass WHERE run_id = ? AND pass = ?", run, name)


def table(title, head, rows):
    print(f"\n### {title}\n")
    print("| " + " | ".join(head) + " |")
    print("|" + "---|" * len(head))
    for row in rows:
        print("| " + " | ".join(str(cell) for cell in row) + " |", flush=True)


def kernel(store, run, op):
    """(grid, blocks a launch, blocks with work a launch, us a launch) of an op's first kernel."""
    return store.one(
        "SELECT grid_x || 'x' || grid_y, blocks / launches, blocks_with_work * 1.0 / launches, "
        "time_ns * 1e-3 / launches FROM kernel_stat WHERE run_id = ? AND op = ? "
        "ORDER BY time_ns DESC", run, op)


def grids(store):
    rows = []
    for grid, blocks in (("ctx", 262144), ("bs", 1024)):
        (run,) = store.run(*PLAIN, "--index-mode", "rectangle", "--placement", "in", "--grid", grid,
                           "--layers", "1", "--passes", "timing+nodes", "--trace-steps", "2000")
        found = kernel(store, run, "page-table")
        evidence = store.evidence(run, "nodes")
        if found is None or evidence is None:
            rows.append((grid, "not measured", evidence))
            failures.append(f"grid {grid}: nothing measured: {evidence}")
            continue
        _, steps, records, dropped, untimed, orphans, by_node, by_launch, nobody, checked = evidence
        in_graph = store.one("SELECT sum(launches) FROM kernel_stat WHERE run_id = ? "
                             "AND placement = 'in'", run)[0]
        holds = found[1] == blocks and dropped == untimed == orphans == nobody == 0
        holds = holds and by_node == in_graph and by_node + by_launch == records
        rows.append((grid, found[0], found[1], f"{found[2]:.0f}", f"{100 * found[2] / found[1]:.1f} %",
                     f"{found[3]:.1f}", steps, records, f"{by_node} of {in_graph}", by_launch, dropped,
                     untimed, orphans, checked, expect(holds, f"grid {grid}")))
    table("Page table in the graph, 64 x 8,224 of 1M context, rectangle",
          ("grid rule", "grid", "blocks", "with work", "live", "us a launch (traced)", "steps",
           "records", "by node id", "by launch", "dropped", "untimed", "orphans", "cross-checked",
           "holds"), rows)


def calls_of(store, run, captured):
    steps = 1 if captured else store.one(
        "SELECT steps FROM pass WHERE run_id = ? AND pass = 'counts'", run)[0]
    found = store.one("SELECT sum(calls) * 1.0 / ? FROM api_stat WHERE run_id = ? AND role = 'op' "
                      "AND kind = 'kernel-launch' AND is_captured = ?", steps, run, captured)[0]
    return found or 0.0


def calls(store):
    rows = []
    alone = ["--op", "write-loc-dcp", "--dcp", "2", "--op-launches", "1"]
    cases = [("step, write", ["--write"], [], 0, 2),
             ("write-loc-dcp alone, page size 1", ["--write"], alone, 1, 8),
             ("write-loc-dcp alone, page size 64", ["--write"], [*alone, "--page-size", "64"], 1, 11),
             ("step, table", ["--table"], ["--index-mode", "rectangle"], 0, 15)]
    for name, field, options, captured, difference in cases:
        found = []
        for form in ("eager", "fused"):
            (run,) = store.run(*PLAIN, "--passes", "counts", *options, *field, form,
                               *([] if "--op" in options else ["--layers", "1"]))
            found.append(calls_of(store, run, captured))
        rows.append((name, "captured" if captured else "each step", f"{found[0]:g}", f"{found[1]:g}",
                     f"{found[0] - found[1]:g}", difference,
                     expect(found[0] - found[1] == difference, f"calls: {name}")))
    table("Kernel launch calls that the driver was asked for, eager against fused",
          ("what", "counted", "eager", "fused", "difference", "catalogue", "holds"), rows)
    (run,) = store.run(*PLAIN, "--layers", "2", "--passes", "timing+counts+nodes",
                       "--placement", "in")
    nodes = store.one("SELECT graph_nodes FROM run WHERE id = ?", run)[0]
    steps = store.one("SELECT steps FROM pass WHERE run_id = ? AND pass = 'nodes'", run)[0]
    kernels = store.one("SELECT sum(launches) FROM kernel_stat WHERE run_id = ? AND placement = 'in' "
                        "AND kind = 'kernel'", run)[0]
    table("Kernels on the device against kernel nodes of the graph", ("nodes", "kernels a replay",
          "replays", "holds"), [(nodes, kernels / steps, steps, expect(kernels == nodes * steps,
                                                                     "nodes"))])


def delay(store):
    rows = []
    for op, us in (("token-stream", 50), ("attention", 200), ("write-loc", 20)):
        found = []
        step = [*PLAIN, "--layers", "2", "--passes", "timing+nodes"]
        for extra in ([], ["--delay-op", op, "--delay-us", str(us)]):
            (run,) = store.run(*step, *extra)
            ledger = store.ledger(run)
            time = sum(part["ns"]["value"] for part in ledger["parts"] if part["op"] == op) * 1e-3
            found.append((store.step_us(run), time, ledger))
        moved = found[1][1] - found[0][1]
        ledger = found[1][2]
        unexplained = ledger["parts"][-1]["ns"]["value"] * 1e-3
        holds = abs(moved / us - 1) <= 0.05 and not ledger["is_finding"]
        rows.append((op, us, f"{found[0][0]:.1f}", f"{found[1][0]:.1f}",
                     f"{found[1][0] - found[0][0]:.1f}", f"{moved:.2f}",
                     f"{100 * (moved / us - 1):+.1f} %",
                     f"{unexplained:+.2f} (limit {ledger['unexplained_limit_ns'] * 1e-3:.2f})",
                     f"{ledger['profiler_overhead']:.3f}", expect(holds, f"delay in {op}")))
    table("A delay of known length in one op", ("op", "delay us", "step before", "step after",
          "step moved us", "op moved us (traced)", "error", "unexplained us", "profiler_overhead",
          "holds"), rows)


def overhead(store):
    rows = []
    for nodes in (16, 64, 256, 1024):
        (run,) = store.run("--op", "write-loc", "--batch", "64", "--op-launches", str(nodes),
                           "--passes", "timing+counts+graph+nodes")
        base = store.step_us(run)
        level = {name: store.pass_us(run, name) for name in ("counts", "graph", "nodes")}
        span = statistics.median(row[0] for row in store.query(
            "SELECT span_ns * 1e-3 FROM graph_span WHERE run_id = ?", run) or [(float("nan"),)])
        rows.append((nodes, f"{base:.1f}", *(f"{level[n]:.1f} ({level[n] / base:.3f})" for n in level),
                     f"{span:.1f}", f"{(level['nodes'] - base) / nodes * 1e3:.0f}"))
    table("Time of one replay by level of tracing, us (ratio to untraced)",
          ("nodes", "untraced", "counts", "graph", "nodes", "graph-level span",
           "ns a node more, node level"), rows)


def marks(store, run):
    """{source: {mark: bytes}} of the memory pass."""
    found = {}
    for mark, source, size in store.query(
            "SELECT mark, source, size_bytes FROM memory_mark WHERE run_id = ?", run):
        found.setdefault(source, {})[mark] = size
    return found


def memory(store):
    rows = []
    kimi = [*PLAIN, "--max-batch", "256", "--layers", "1"]
    gpt = ["--preset", "gpt-oss-20b", "--attention-backend", "triton", "--batch", "64",
           "--seq-len", "8224", "--max-batch", "256", "--layers", "2"]
    for name, options, wanted in (("kimi-linear-48b", kimi, 1024), ("gpt-oss-20b", gpt, 256),
                                  ("gpt-oss-20b, cached block 1,024 MiB",
                                   [*gpt, "--cached-block", "1024"], 256)):
        sides = []
        for mode in ("rectangle", "stream"):
            (run,) = store.run(*options, "--index-mode", mode, "--passes", "timing+memory")
            found = marks(store, run)
            if "ledger" not in found:
                failures.append(f"memory: {name} {mode}: {store.evidence(run, 'memory')}")
                return
            sides.append((found["ledger"]["buffers"], found["device-free"]["buffers"]))
        ledger = (sides[0][0] - sides[1][0]) / MIB
        device = (sides[0][1] - sides[1][1]) / MIB
        cached = "cached" in name
        holds = abs(ledger - wanted) < 1 and (device == 0 if cached else abs(device - wanted) <= 4)
        rows.append((name, f"{sides[0][0] / MIB:.1f}", f"{sides[1][0] / MIB:.1f}", f"{ledger:.1f}",
                     f"{sides[0][1] / MIB:.1f}", f"{sides[1][1] / MIB:.1f}", f"{device:.1f}",
                     expect(holds, f"memory: {name}")))
    table("Memory at the mark 'buffers', rectangle against stream, MiB",
          ("case", "ledger, rectangle", "ledger, stream", "difference", "device-free, rectangle",
           "device-free, stream", "difference", "holds"), rows)
    rows = []
    for nodes in (64, 256, 1024):
        (run,) = store.run("--op", "write-loc", "--batch", "64", "--op-launches", str(nodes),
                           "--passes", "memory")
        points = store.query("SELECT executables, taken_bytes FROM executable_point "
                             "WHERE run_id = ? ORDER BY executables", run)
        slack = store.one("SELECT slack_bytes FROM run WHERE id = ?", run)[0]
        moved = [point for point in points if point[1] > 0]
        if len(moved) < 2:
            rows.append((nodes, len(points), "-", "-", slack))
            continue
        (first, low), (last, high) = moved[0], moved[-1]
        slope = (high - low) / (last - first)
        rows.append((nodes, len(points), f"{slope / 1024:.1f}", f"{slope / 1024 / nodes:.2f}", slack))
    table("Device memory of an executable (from the first to the last point that moved)",
          ("nodes", "points", "KiB an executable", "KiB a node", "slack bytes"), rows)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("kvprof")
    parser.add_argument("--db", default="step-truth.db")
    parser.add_argument("--parts", default="grids,calls,delay,overhead,memory")
    options = parser.parse_args()
    store = Store(os.path.abspath(options.kvprof), options.db)
    for part in options.parts.split(","):
        {"grids": grids, "calls": calls, "delay": delay, "overhead": overhead,
         "memory": memory}[part](store)
    for failure in failures:
        print(f"does not hold: {failure}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
