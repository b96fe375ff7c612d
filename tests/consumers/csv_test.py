"""Python's csv module reads the tables that kvprof writes. Usage: csv_test.py REPORT_DOCUMENTS"""
import csv
import io

import documents

TEXTS = {"cell", "side", "run", "variant", "started_at", "metric", "unit", "better", "kind", "change_kind",
         "method", "family", "verdict", "reason", "op", "placement", "kernel", "copy"}
FLAGS = {"confirmed", "same_code"}


def check_cells(name, row):
    for column, cell in row.items():
        if column in TEXTS:
            assert not cell.startswith(("=", "+", "-", "@", "\t", "\r")), f"{name}: {column} is a formula: {cell}"
        elif column in FLAGS:
            assert cell in ("true", "false"), f"{name}: {column} is {cell}"
        elif cell:
            float(cell)


def rows_of(name, text):
    assert text.endswith("\r\n"), f"{name}: the last line is not ended"
    lines = list(csv.reader(io.StringIO(text, newline=""), strict=True))
    head, *rows = lines
    assert len(set(head)) == len(head), f"{name}: a column is there twice"
    assert all(len(row) == len(head) for row in rows), f"{name}: a row has another number of cells"
    return [dict(zip(head, row)) for row in rows]


def check(folder):
    tables = {name: rows_of(name, text) for name, text in documents.read(folder, "csv")}
    for name, rows in tables.items():
        for row in rows:
            check_cells(name, row)
    times = [row for row in tables["lone.samples.csv"] if row["metric"] == "step.gpu_time"]
    assert len(times) == 16 and {row["side"] for row in times} == {"base", "candidate"}
    assert len({row["run"] for row in times}) == 16, "a run has two values of one metric"
    assert [row["verdict"] for row in tables["gate.metrics.csv"] if row["metric"] == "step.gpu_time"] == [
        "same", "regressed"]
    long_names = [row["kernel"] for row in tables["hostile.kernels.csv"]]
    assert any("a \"b\" 'c'\r\nd | `e` <script>" in name and len(name) > 5000 for name in long_names)
    assert len(tables["run.kernels.csv"]) == 3 and tables["experiment.kernels.csv"] == []


documents.in_folder(check)
