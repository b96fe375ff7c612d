"""The reports of docs/results must be those of their runs. Usage: results_test.py KVPROF DOCS/RESULTS

STEM.db.gz holds the runs of STEM.md, and runs.db.gz those of every report beside it. After a change
of words the make.sh beside them writes them again.
"""
import gzip
import pathlib
import subprocess
import sys
import tempfile


COUNTS = {
    "laws/buffers.db.gz": 1,
    "laws/grid.db.gz": 1,
    "matrix/deepseek-v3.db.gz": 1,
    "matrix/llama-qwen3.db.gz": 1,
    "matrix/pairs.db.gz": 0,
    "matrix/six-presets.db.gz": 1,
    "prs/runs.db.gz": 4,
}


def reports_of(store):
    """The Markdown reports that were made from a store."""
    stem = store.name.removesuffix(".db.gz")
    beside = [report for report in sorted(store.parent.glob("*.md")) if report.name != "README.md"]
    return beside if stem == "runs" else [report for report in beside if report.stem == stem]


def main(kvprof, folder):
    problems = []
    stores = sorted(pathlib.Path(folder).rglob("*.db.gz"))
    counts = {str(store.relative_to(folder)): len(reports_of(store)) for store in stores}
    if counts != COUNTS:
        problems.append(f"reports by store: {counts}")
    for packed in stores:
        with tempfile.TemporaryDirectory(prefix="kvprof-results-") as work:
            store = pathlib.Path(work) / "runs.db"
            store.write_bytes(gzip.decompress(packed.read_bytes()))
            for report in reports_of(packed):
                done = subprocess.run([kvprof, "verify", report, "--db", store],
                                      capture_output=True, text=True, timeout=100)
                if done.returncode != 0:
                    problems.append(f"{report}: {done.stdout}{done.stderr}")
    print("\n".join(problems))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
