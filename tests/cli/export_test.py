"""Reads what `kvprof export` writes as a viewer does. Usage: export_test.py KVPROF

The host executor traces nothing, so a run's rows of the nodes pass are put into the store here.
"""
import collections
import json
import os
import pathlib
import sqlite3
import subprocess
import sys
import tempfile
import unittest

from run_cases import TINY

KVPROF = ""
NODE = (7 << 32) + 2
FIELDS = ("run_id", "ordinal", "step", "kernel", "stream", "node", "start_ns", "duration_ns")


def kvprof(*words):
    return subprocess.run([KVPROF, *words], capture_output=True, text=True, timeout=100)


class Export(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="kvprof-export-")
        self.addCleanup(folder.cleanup)
        self.db = str(pathlib.Path(folder.name) / "a.db")
        done = kvprof("run", *TINY.split(), "--db", self.db, "--passes", "timing", "--repeats", "2", "-q")
        self.assertEqual(done.returncode, 0, done.stderr)

    def insert(self, table, *rows):
        store = sqlite3.connect(self.db)
        for row in rows:
            marks = ", ".join("?" * len(row))
            store.execute(f"INSERT INTO {table}({', '.join(row)}) VALUES({marks})", list(row.values()))
        store.commit()
        store.close()

    def run_ids(self):
        store = sqlite3.connect(self.db)
        ids = [row[0] for row in store.execute("SELECT id FROM run ORDER BY position")]
        store.close()
        return ids

    def add_pass(self, run_id, failure=""):
        counts = ("steps", "graphs", "records", "dropped", "untimed", "orphans", "by_node", "by_launch", "unattributed")
        row = {"run_id": run_id, "pass": "nodes", "failure": failure, "nodes_cross_checked": 0}
        self.insert("pass", row | dict.fromkeys(counts, 0))

    def add_trace(self, run_id, events):
        """Two kernels of two ops, and events of them: (step, kernel, stream, start, duration)."""
        self.add_pass(run_id)
        zero = ("block_y", "block_z", "registers", "static_shared_bytes", "dynamic_shared_bytes", "local_bytes",
                "launches", "time_ns", "shortest_ns", "longest_ns")
        for ordinal, (op, placement, live) in enumerate([("page-table", "in", 2112), ("indptr", "out", None)]):
            row = {"run_id": run_id, "ordinal": ordinal, "op": op, "placement": placement, "kind": "kernel"}
            row |= {"copy": "none", "name": f"{op}<int>", "grid_x": 4096, "grid_y": 64, "grid_z": 1, "block_x": 256}
            row |= {"blocks": 262144, "blocks_with_work": live}
            self.insert("kernel_stat", row | dict.fromkeys(zero, 1))
        rows = [(run_id, i, step, kernel, stream, NODE * (1 - kernel), start, duration)
                for i, (step, kernel, stream, start, duration) in enumerate(events)]
        self.insert("kernel_event", *[dict(zip(FIELDS, row)) for row in rows])

    def export(self, *words):
        done = kvprof("export", "--db", self.db, *words)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)

    def tracks(self, trace):
        """Bars by the name of their track, in the order of the file."""
        names = {e["tid"]: e["args"]["name"] for e in trace["traceEvents"] if e["name"] == "thread_name"}
        bars = collections.defaultdict(list)
        for event in trace["traceEvents"]:
            if event["ph"] == "X":
                bars[names[event["tid"]]].append(event)
        return bars

    def steps_of_two_streams(self):
        """100 steps: an eager kernel, then two nodes at a time on two streams."""
        for step in range(100):
            start = step * 10_001
            yield step, 1, 7, start, 1_999
            yield step, 0, 7, start + 2_500, 4_001
            yield step, 0, 13, start + 2_500, 3_003

    def test_bars_of_a_track_come_in_order_and_do_not_overlap(self):
        self.add_trace(self.run_ids()[0], self.steps_of_two_streams())
        tracks = self.tracks(self.export("@latest"))
        self.assertEqual({name: len(bars) for name, bars in tracks.items()},
                         {"steps": 100, "graph launches": 100, "stream 7": 200, "stream 13": 100})
        for name, bars in tracks.items():
            for bar, following in zip(bars, bars[1:]):
                end = round(bar["ts"] * 1000) + round(bar["dur"] * 1000)
                self.assertLessEqual(end, round(following["ts"] * 1000), name)

    def test_no_nanosecond_is_lost(self):
        events = list(self.steps_of_two_streams())
        self.add_trace(self.run_ids()[0], events)
        tracks = self.tracks(self.export("@latest"))
        bars = tracks["stream 7"] + tracks["stream 13"]
        shown = sorted((round(b["ts"] * 1000), round(b["dur"] * 1000)) for b in bars)
        self.assertEqual(shown, sorted((start, duration) for *_, start, duration in events))

    def test_overlap_in_one_stream_gets_a_track(self):
        self.add_trace(self.run_ids()[0], [(0, 0, 7, 0, 100), (0, 0, 7, 99, 100), (0, 0, 7, 100, 5)])
        tracks = self.tracks(self.export("@latest"))
        self.assertEqual([b["ts"] for b in tracks["stream 7"]], [0, 0.1])
        self.assertEqual([b["ts"] for b in tracks["stream 7, overlap 1"]], [0.099])

    def test_a_bar_has_the_facts_of_its_kernel(self):
        self.add_trace(self.run_ids()[0], self.steps_of_two_streams())
        trace = self.export("--format", "perfetto", "@latest")
        args = self.tracks(trace)["stream 13"][99]["args"]
        self.assertEqual((args["op"], args["kernel"], args["step"]), ("page-table", "page-table<int>", 99))
        self.assertEqual((args["grid"], args["node"]), ("4096x64x1", str(NODE)))
        self.assertEqual(args["live_fraction"], 2112 / 262144)
        self.assertEqual(trace["displayTimeUnit"], "ns")
        self.assertIn("traced", trace["otherData"]["times"])

    def test_writes_a_file(self):
        self.add_trace(self.run_ids()[0], self.steps_of_two_streams())
        file = pathlib.Path(self.db).parent / "step.md"
        done = kvprof("export", "--db", self.db, "@latest", "-o", str(file))
        self.assertEqual((done.returncode, done.stdout), (0, ""), done.stderr)
        self.assertEqual(len(json.loads(file.read_text())["traceEvents"]), 500 + 1 + 4 * 2)

    def test_several_timelines_have_to_be_named(self):
        for run_id in self.run_ids():
            self.add_trace(run_id, [(0, 0, 7, 0, 100)])
        done = kvprof("export", "--db", self.db, "@latest")
        self.assertEqual(done.returncode, 2)
        self.assertIn("2 of its runs have a timeline, and one is written at a time:", done.stderr)
        chosen = done.stderr.splitlines()[2].split()[0]
        self.assertTrue(self.export(chosen)["otherData"]["run"].startswith(chosen))

    def test_says_why_the_pass_gave_nothing(self):
        self.add_pass(self.run_ids()[0], "CUPTI is held by another tool: end it")
        done = kvprof("export", "--db", self.db, "@latest")
        self.assertEqual(done.returncode, 2)
        self.assertIn("its nodes pass failed: CUPTI is held by another tool: end it", done.stderr)

    def test_show_and_rm_work_beside_events(self):
        self.add_trace(self.run_ids()[0], self.steps_of_two_streams())
        self.assertEqual(kvprof("show", "--db", self.db, "@latest").returncode, 0)
        self.assertEqual(kvprof("rm", "--db", self.db, "@latest").returncode, 0)
        store = sqlite3.connect(self.db)
        self.assertEqual(store.execute("SELECT count(*) FROM kernel_event").fetchone(), (0,))
        store.close()


if __name__ == "__main__":
    KVPROF = os.path.abspath(sys.argv.pop(1))
    unittest.main()
