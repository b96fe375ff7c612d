"""The reports of docs/results must be those of their runs. Usage: results_test.py KVPROF DOCS/RESULTS/PRS

After a change of words: docs/results/prs/make.sh KVPROF writes them again.
"""
import gzip
import pathlib
import subprocess
import sys
import tempfile


def main(kvprof, folder):
    folder = pathlib.Path(folder)
    reports = sorted(folder.glob("*.md"))
    reports.remove(folder / "README.md")
    problems = [] if len(reports) == 4 else [f"{folder} has {len(reports)} reports, not 4"]
    with tempfile.TemporaryDirectory(prefix="kvprof-results-") as work:
        store = pathlib.Path(work) / "runs.db"
        store.write_bytes(gzip.decompress((folder / "runs.db.gz").read_bytes()))
        for report in reports:
            done = subprocess.run(
                [kvprof, "verify", report, "--db", store], capture_output=True, text=True, timeout=100
            )
            if done.returncode != 0:
                problems.append(f"{report.name}: {done.stdout}{done.stderr}")
    print("\n".join(problems))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
