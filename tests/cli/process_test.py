"""Signals, kills and a second writer. Usage: process_test.py KVPROF

Each test waits for an event (a line on stderr, a process that is there), never for a time.
"""
import json
import os
import pathlib
import signal
import sqlite3
import subprocess
import sys
import tempfile
import unittest

KVPROF = ""
LONG = ("--executor host --preset tiny-mla --batch 2 --max-batch 4 --seq-len 64 --max-context 256"
        " --samples 2 --replays 2 --warmup-max 0.05").split()
PLAYED = ("--executor scripted --preset tiny-mla --batch 2 --max-batch 4 --seq-len 64"
          " --max-context 256 --samples 3 --replays 1 --passes timing").split()
ENDLESS = LONG + ["--samples", "1000000"]


def children_of(pid):
    """Pids whose parent is pid."""
    found = []
    for stat in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[1]) == pid and fields[0] != "Z":
            found.append(int(stat.parent.name))
    return found


def is_alive(pid):
    try:
        return pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


class Processes(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="kvprof-process-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.db = self.folder / "a.db"
        self.temp = self.folder / "tmp"
        self.temp.mkdir()
        self.env = os.environ | {"TMPDIR": str(self.temp), "HOME": str(self.folder)}

    def start(self, *options, verb="run"):
        process = subprocess.Popen(
            [KVPROF, verb, "--db", str(self.db), *options],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=self.env)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.stderr.close)
        self.addCleanup(lambda: process.poll() is None and process.kill())
        return process

    def kvprof(self, *words):
        return subprocess.run(
            [KVPROF, *words, "--db", str(self.db)], capture_output=True, text=True, env=self.env)

    def experiments(self):
        return json.loads(self.kvprof("ls", "--json").stdout)["experiments"]

    def wait_for_child(self, process):
        """The measuring process, once it is there."""
        while process.poll() is None:
            if children := children_of(process.pid):
                return children[0]
        self.fail("the program ended before it started a measuring process")

    def many_cells(self):
        return self.start(*LONG, "--repeats", "500")

    def expect_interrupted(self, process, number, code):
        first = process.stderr.readline()
        self.assertIn("[1/500] run: complete", first)
        process.send_signal(number)
        out, err = process.communicate(timeout=60)
        self.assertEqual(process.returncode, code)
        self.assertEqual(out, "")
        self.assertIn("kvprof: interrupted: ", err)
        stored = self.experiments()[0]
        self.assertEqual(stored["state"], "interrupted")
        self.assertGreaterEqual(stored["complete_runs"], 1)
        self.assertLess(stored["runs"], 500)
        self.assertEqual(list(self.temp.iterdir()), [])

    def test_ctrl_c_keeps_what_is_finished(self):
        self.expect_interrupted(self.many_cells(), signal.SIGINT, 130)

    def test_sigterm_keeps_what_is_finished(self):
        self.expect_interrupted(self.many_cells(), signal.SIGTERM, 143)

    def test_a_terminal_that_closes_keeps_what_is_finished(self):
        self.expect_interrupted(self.many_cells(), signal.SIGHUP, 143)

    def test_ctrl_c_keeps_the_finished_runs_of_both_sides(self):
        hang = self.folder / "hang"
        hang.write_text(f"state {self.folder}/runs\nturn 2 99\nhang\n")
        process = self.start(*PLAYED, "--ab", "", f"script={hang}", "--order-seed", "7")
        for _ in range(5):  # A B B A A, then B hangs
            self.assertIn(": complete", process.stderr.readline())
        self.wait_for_child(process)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 130, err)
        self.assertEqual(out, "")
        self.assertIn("of 12 runs are stored", err)
        stored = self.experiments()[0]
        self.assertEqual((stored["state"], stored["complete_runs"]), ("interrupted", 5))
        for words in (["gate"], ["diff"], ["diff", "--json"], ["show"]):
            done = self.kvprof(*words, "@latest")
            self.assertIn(done.returncode, (0, 3, 5), done.stderr)
            self.assertNotIn("internal", done.stderr)
        self.assertIn("too-few-runs", self.kvprof("gate", "@latest").stderr)

    def test_ctrl_c_of_a_gate_judges_nothing(self):
        hang = self.folder / "hang"
        hang.write_text("hang\n")
        process = self.start(
            *PLAYED, "--ab", "", f"script={hang}", "--order-seed", "7", verb="gate")
        self.assertIn("[1/16] run: complete", process.stderr.readline())
        self.wait_for_child(process)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 130, err)
        self.assertEqual(out, "")
        self.assertNotIn("kvprof: gate:", err)
        done = self.kvprof("gate", "@latest")
        self.assertEqual(done.returncode, 5, done.stderr)
        self.assertIn("unfinished, 1 of 16 runs a case", done.stderr)

    def test_ctrl_c_ends_the_run_in_progress(self):
        process = self.start(*ENDLESS)
        child = self.wait_for_child(process)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)
        self.assertEqual(process.returncode, 130)
        self.assertFalse(is_alive(child))
        self.assertEqual(self.experiments()[0]["complete_runs"], 0)

    def test_second_signal_stops_at_once(self):
        process = self.start(*ENDLESS)
        child = self.wait_for_child(process)
        os.kill(child, signal.SIGSTOP)  # can not act on the first signal
        process.send_signal(signal.SIGINT)
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=60)
        self.assertIn(process.returncode, (130, 143))
        self.assertFalse(is_alive(child))

    def test_second_signal_stops_a_single_process(self):
        process = self.start(*LONG, "--vary", "samples=2,1000000", "--single-process")
        self.assertIn("[1/2] samples=2: complete", process.stderr.readline())
        process.send_signal(signal.SIGINT)
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=60)
        self.assertIn(process.returncode, (130, 143))

    def test_kill_9_leaves_a_readable_store_and_no_child(self):
        process = self.many_cells()
        self.assertIn("[1/500] run: complete", process.stderr.readline())
        child = self.wait_for_child(process)
        process.kill()
        process.communicate(timeout=60)
        while is_alive(child):
            pass
        stored = self.experiments()[0]
        self.assertEqual(stored["state"], "running")
        self.assertGreaterEqual(stored["complete_runs"], 1)
        shown = self.kvprof("show", "@latest", "--json")
        self.assertEqual(shown.returncode, 0, shown.stderr)

    def test_a_killed_child_is_a_row_and_the_experiment_goes_on(self):
        process = self.start(*LONG, "--vary", "samples=1000000,2")
        os.kill(self.wait_for_child(process), signal.SIGKILL)
        out, err = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 5, err)
        self.assertIn("killed by SIGKILL (out of memory?)", err)
        self.assertIn("[2/2] samples=2: complete", err)
        self.assertIn("not-run", out)

    def test_a_store_that_another_program_holds_is_named(self):
        self.assertEqual(self.kvprof("run", *LONG).returncode, 0)
        holder = sqlite3.connect(self.db)
        holder.execute("begin immediate")
        done = self.kvprof("run", *LONG)
        holder.rollback()
        holder.close()
        self.assertEqual(done.returncode, 7, done.stderr)
        self.assertIn("a.db", done.stderr)

    def test_a_matrix_that_goes_on_measures_a_row_again_whose_pass_was_cut_short(self):
        words = [w for w in LONG if w not in ("--preset", "tiny-mla")] + (
            "--presets tiny-mla --backends flashinfer_mla --pools static --passes timing+nodes"
            " --trace-steps 2").split()
        self.assertEqual(self.start(*words, verb="matrix").wait(timeout=60), 0)
        with sqlite3.connect(self.db) as store:  # as a signal leaves it
            store.execute("UPDATE pass SET failure = 'stopped by a signal'")
        store.close()
        self.assertEqual(self.start(*words, "--resume", verb="matrix").wait(timeout=60), 0)
        with sqlite3.connect(self.db) as store:
            passes = store.execute("SELECT pass, failure FROM pass").fetchall()
        store.close()
        self.assertEqual(passes, [("nodes", "")])

    def test_two_writers_share_a_store(self):
        both = [self.start(*LONG, "--repeats", "3") for _ in range(2)]
        for process in both:
            _, err = process.communicate(timeout=100)
            self.assertEqual(process.returncode, 0, err)
        self.assertEqual([e["complete_runs"] for e in self.experiments()], [3, 3])


if __name__ == "__main__":
    KVPROF = sys.argv.pop(1)
    unittest.main(verbosity=2)
