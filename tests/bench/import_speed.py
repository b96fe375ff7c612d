"""Times `kvprof import` on profiles that it writes: import_speed.py KVPROF [--size BYTES]
[--nsys KERNELS] [--repeats N] [--folder DIR]

A Kineto trace of BYTES (500e6), its gzip form, and an Nsight Systems export of KERNELS (5e6; 0:
none). Beside them stand python's json.load with the same sums, and gzip -dc. All figures that both
make must be equal. Reads are warm: the files were just written. Needs about four times BYTES in DIR.
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).parent
PYTHON_BYTES = 9  # that json.load takes for one of the file's


class Ran:
    """What a program took: seconds of wall and CPU, and its peak of resident memory."""

    def __init__(self, command):
        begin = time.monotonic()
        child = subprocess.Popen(command, stdout=subprocess.PIPE)
        self.output = child.stdout.read()
        _, status, usage = os.wait4(child.pid, 0)
        self.wall = time.monotonic() - begin
        child.stdout.close()
        child.returncode = os.waitstatus_to_exitcode(status)
        if child.returncode != 0:
            sys.exit(f"{command} ended with {child.returncode}")
        self.cpu = usage.ru_utime + usage.ru_stime
        self.peak_mb = usage.ru_maxrss / 1000


def python(script, *arguments):
    return Ran([sys.executable, HERE / script, *map(str, arguments)])


def row(what, size, runs):
    """A line of the table; the rate is that of the fastest run, of gzip files that of their text."""
    best = min(run.wall for run in runs)
    walls = " ".join(f"{run.wall:.2f}" for run in runs)
    cpus = " ".join(f"{run.cpu:.2f}" for run in runs)
    print(f"| {what} | {size / 1e6:.0f} | {walls} | {cpus} | {size / 1e6 / best:.0f} | "
          f"{max(run.peak_mb for run in runs):.0f} |", flush=True)
    return best


def imported(kvprof, file, repeats):
    """The imports of a file, each into a store of its own, and the figures of the last."""
    runs = []
    for _ in range(repeats):
        with tempfile.TemporaryDirectory(dir=file.parent) as folder:
            store = pathlib.Path(folder) / "a.db"
            runs.append(Ran([kvprof, "import", file, "--db", store, "--quiet"]))
            shown = Ran([kvprof, "show", "@latest", "--db", store, "--format", "json"])
    return runs, json.loads(shown.output)["runs"][0]["profile"]["ranks"][0]["figures"]


def differences(name, figures, expected):
    return [f"{name}: {key} is {figures.get(key)}, expected {value}"
            for key, value in expected.items() if figures.get(key) != value]


def available_bytes():
    lines = pathlib.Path("/proc/meminfo").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("MemAvailable")) * 1024


def time_kineto(options, folder, notes):
    trace = folder / "trace.json"
    python("make_profile.py", "--kineto", options.size, trace)
    runs, figures = imported(options.kvprof, trace, options.repeats)
    size = trace.stat().st_size
    best = row("kvprof import", size, runs)
    problems = []
    if size * PYTHON_BYTES < available_bytes():
        sums = python("profile_sums.py", trace)
        slow = row("python json.load and sums", size, [sums])
        cpu = sums.cpu / min(run.cpu for run in runs)
        notes.append(f"kvprof is {slow / best:.1f} times as fast as python ({cpu:.1f} by CPU time).")
        problems = differences("kineto", figures, json.loads(sums.output))
    else:
        notes.append("No python beside it: json.load would need more memory than is free.")
    return problems + time_gzip(options, trace, figures, notes)


def time_gzip(options, trace, plain, notes):
    Ran(["gzip", "-k", "-6", trace])
    packed, size = trace.with_suffix(".json.gz"), trace.stat().st_size
    unzips = [Ran(["sh", "-c", 'gzip -dc "$0" > /dev/null', packed])
              for _ in range(options.repeats)]
    gzip = row(f"gzip -dc ({packed.stat().st_size / 1e6:.0f} MB)", size, unzips)
    runs, figures = imported(options.kvprof, packed, options.repeats)
    best = row("kvprof import, gzip", size, runs)
    notes.append(f"Importing the gzip form takes {best / gzip:.2f} times as long as gzip -dc.")
    return differences("gzip", figures, plain)


def time_nsys(options, folder):
    export = folder / "export.sqlite"
    python("make_profile.py", "--nsys", options.nsys, export)
    runs, figures = imported(options.kvprof, export, options.repeats)
    size = export.stat().st_size
    row(f"kvprof import, nsys, {options.nsys:.0f} kernels", size, runs)
    sums = python("profile_sums.py", export)
    row("python sqlite3 and sums", size, [sums])
    return differences("nsys", figures, json.loads(sums.output))


def parsed():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("kvprof", type=pathlib.Path)
    parser.add_argument("--size", type=float, default=500e6, help="of the Kineto trace, bytes")
    parser.add_argument("--nsys", type=float, default=5e6, help="kernels of the export; 0: none")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--folder", default=None, help="for the files, which go at the end")
    return parser.parse_args()


def main():
    options = parsed()
    print("| what | MB | wall s | CPU s | MB/s | peak RSS MB |\n|---|--:|---|---|--:|--:|")
    with tempfile.TemporaryDirectory(prefix="kvprof-import-", dir=options.folder) as folder:
        notes = []
        problems = time_kineto(options, pathlib.Path(folder), notes)
        if options.nsys > 0:
            problems += time_nsys(options, pathlib.Path(folder))
    print("", *notes, *problems or ["All figures are equal."], sep="\n")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
