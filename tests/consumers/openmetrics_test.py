"""The Prometheus client reads metrics, by the rules of OpenMetrics and of the older text format;
promtool, where there is one, has nothing to say. Usage: openmetrics_test.py REPORT_DOCUMENTS"""
import shutil
import subprocess

from prometheus_client import parser as text_format
from prometheus_client.openmetrics import parser as openmetrics

import documents


def samples_of(families):
    return [sample for family in families for sample in family.samples]


def check(folder):
    for name, text in documents.read(folder, "openmetrics"):
        families = list(openmetrics.text_string_to_metric_families(text))
        names = [family.name for family in families]
        assert len(names) == len(set(names)), f"{name}: families interleave"
        samples = samples_of(families)
        keys = [(sample.name, tuple(sorted(sample.labels.items()))) for sample in samples]
        assert len(keys) == len(set(keys)), f"{name}: two samples have the same labels"
        older = samples_of(text_format.text_string_to_metric_families(text))
        assert [s[:3] for s in samples] == [s[:3] for s in older], f"{name}: the two formats differ"
        if shutil.which("promtool"):
            lines = text.replace("# EOF\n", "")
            result = subprocess.run(["promtool", "check", "metrics"], input=lines, text=True)
            assert result.returncode != 1, f"{name}: promtool can not read it"
    text = (folder / "gate.openmetrics").read_text(encoding="utf-8")
    found = {
        (s.labels.get("side"), s.labels.get("stat")): s.value
        for s in samples_of(openmetrics.text_string_to_metric_families(text))
        if s.name == "kvprof_step_time_seconds" and s.labels["case"] == "batch=64"
    }
    assert found[("base", "median")] == 0.0124073, found
    assert found[("candidate", "max")] == 0.012633, found


documents.in_folder(check)
