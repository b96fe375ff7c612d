"""compare.py of Google Benchmark compares the sides of a report.
Usage: gbench_test.py REPORT_DOCUMENTS COMPARE_PY"""
import json
import subprocess
import sys

import documents


def compare(file, base, candidate):
    """What compare.py dumps of the file's benchmarks, "base" in the name against "candidate"."""
    dump = file.with_suffix(".dump")
    subprocess.run(
        [sys.executable, sys.argv[2], "--no-color", "-d", str(dump), "filters", str(file), base, candidate],
        check=True,
        stdout=subprocess.DEVNULL,
    )
    return [row for row in json.loads(dump.read_text(encoding="utf-8")) if row["name"] != "OVERALL_GEOMEAN"]


def check(folder):
    for name, text in documents.read(folder, "gbench"):
        context = json.loads(text)["context"]
        assert context["json_schema_version"] == 1 and context["caches"] == [], name
    rows = compare(folder / "gate.gbench", "side=base", "side=candidate")
    assert len(rows) == 2, "a comparison a case"
    changed = rows[1]
    assert changed["name"].startswith("decode/batch=64/"), changed["name"]
    assert len(changed["measurements"]) == 8, "a measurement a pair of runs"
    assert changed["utest"]["time_pvalue"] < 0.001 < rows[0]["utest"]["time_pvalue"], rows
    assert len(compare(folder / "hostile.gbench", "side=base", "side=candidate")) == 2
    modes = compare(folder / "experiment.gbench", "index-mode=rectangle", "index-mode=stream")
    assert len(modes) == 1, modes


documents.in_folder(check)
