"""Go's benchmark format, read by its grammar: file configuration ("key: value", the key starts with
a small letter), "Unit UNIT KEY=VALUE...", and "BenchmarkName ITERATIONS (VALUE UNIT)..."; other lines
are not of the format. Usage: benchstat_test.py REPORT_DOCUMENTS"""
import re

import documents

CONFIGURATION = re.compile(r"[a-z][^\sA-Z:]*:(?:\s.*)?\Z")
UNIT = re.compile(r"Unit (\S+)((?: [^\s=]+=[^\s=]+)+)\Z")
GOMAXPROCS = re.compile(r"-\d+\Z")


def results_of(name, text):
    """(benchmark, iterations, {unit: value}) of each line, and the metadata of units."""
    results, units = [], {}
    assert text.endswith("\n"), name
    for line in text[:-1].split("\n"):
        unit = UNIT.match(line)
        if unit:
            units[unit[1]] = dict(pair.split("=") for pair in unit[2].split())
        elif line.startswith("Benchmark"):
            words = line.split()  # at every blank that Unicode knows, as Go does
            assert not words[0][9].islower(), f"{name}: a small letter follows Benchmark: {words[0]}"
            assert len(words) >= 4 and len(words) % 2 == 0, f"{name}: {line[:200]}"
            values = dict(zip(words[3::2], map(float, words[2::2])))
            results.append((words[0], int(words[1]), values))
        else:
            assert CONFIGURATION.match(line), f"{name}: no line of the format: {line[:200]}"
    return results, units


def check(folder):
    for name, text in documents.read(folder, "benchstat"):
        results, units = results_of(name, text)
        assert results, name
        assert units["launches/op"] == {"assume": "exact"}, name
        for benchmark, iterations, values in results:
            assert iterations > 0 and "ns/op" in values, f"{name}: {benchmark[:200]}"
            assert not GOMAXPROCS.search(benchmark) or benchmark.endswith("-1"), benchmark[-50:]
    results, _ = results_of("gate", (folder / "gate.benchstat").read_text(encoding="utf-8"))
    assert len(results) == 32, "a line a run: two cases, two sides, eight runs"
    slow = [v["ns/op"] for n, _, v in results if n == "BenchmarkDecode/batch=64/side=candidate"]
    assert slow[0] == 12598100 and len(slow) == 8, slow


documents.in_folder(check)
