"""Imports profiles and compares what comes out with what is known of them. Usage:
traces_test.py KVPROF EXPECTED.json CASES | REFERENCE.json PROFILES

EXPECTED.json says of each case whether it is read (ok, warn), refused, or read only in part on
request (partial), with the reader's warnings and figures; REFERENCE.json holds the figures of real
profiles, made by another reader. Figures are equal to the nanosecond.
"""
import json
import pathlib
import subprocess
import sys
import tempfile

FIGURES = {  # key of the JSON -> figure of a profile
    "kernels": "gpu.kernel.count", "kernels_with_time": "gpu.kernel.count",
    "kernels_without_time": "gpu.kernel.untimed", "kernel_sum_ns": "gpu.kernel.sum",
    "kernel_union_ns": "gpu.kernel.union", "gpu_busy_union_ns": "gpu.busy",
    "kernel_span_ns": "span.kernel", "gpu_span_ns": "span.gpu", "wall_span_ns": "span.wall",
    "gpu_memcpy": "gpu.memcpy.count", "gpu_memset": "gpu.memset.count",
    "gpu_memcpy_sum_ns": "gpu.memcpy.sum", "gpu_memset_sum_ns": "gpu.memset.sum",
    "api_calls": "api.calls", "api_sum_ns": "api.sum", "kernel_launch_calls": "api.launch",
    "graph_launch_calls": "api.graph_launch", "memcpy_api_calls": "api.memcpy",
    "memset_api_calls": "api.memset", "sync_api_calls": "api.sync", "cpu_ops": "cpu_op.count",
    "cpu_op_inclusive_sum_ns": "cpu_op.inclusive", "cpu_op_top_level": "cpu_op.top.count",
    "cpu_op_top_level_sum_ns": "cpu_op.top", "graph_kernels_by_correlation": "kernels.graph.count",
    "kernels_in_graph_nodes": "kernels.graph.count", "graph_kernel_sum_ns": "kernels.graph.sum",
    "kernels_without_launch_event": "kernels.orphan.count",
    "kernels_without_api_row": "kernels.orphan.count",
    "kernels_without_launch_event_sum_ns": "kernels.orphan.sum",
    "kernels_without_api_row_sum_ns": "kernels.orphan.sum",
    "kernels_starting_before_their_launch": "quality.kernels_before_launch",
    "launches_without_kernel": "quality.launches_without_kernel",
    "same_stream_overlapping_kernels": "quality.same_stream_overlaps",
    "rejected_events": "quality.rejected", "graph_trace_rows": "graph_trace.count",
    "graph_trace_sum_ns": "graph_trace.sum", "graph_trace_without_time": "graph_trace.untimed",
    "devices": "gpu.devices", "graph_launches_per_step": "steps.graph_launches",
}
CALLS = ("cudaLaunchKernel", "cuLaunchKernel")
# Rows at graph level without a timestamp are not among REFERENCE's kernels, nor are these here.
ELSEWHERE = {"kernel_union_all_devices_merged_ns", "first_kernel_ts_ns", "processes"}


class Imported:
    """One imported file, as `show --json` gives it."""

    def __init__(self, kvprof, file, *options):
        with tempfile.TemporaryDirectory(prefix="kvprof-traces-") as folder:
            store = pathlib.Path(folder) / "a.db"
            self.done = subprocess.run(
                [kvprof, "import", file, "--db", store, *options],
                capture_output=True, text=True, timeout=100)
            self.has_store = store.exists()
            self.run = None
            if self.done.returncode == 0:
                shown = subprocess.run([kvprof, "show", "@latest", "--json", "--db", store],
                                       capture_output=True, text=True, timeout=100, check=True)
                self.run = json.loads(shown.stdout)["runs"][0]

    def figure(self, name):
        """Over all ranks; 0 where the profile has none of it."""
        values = [rank["figures"].get(name, 0) for rank in self.run["profile"]["ranks"]]
        return max(values) if name.startswith("span.") else sum(values)

    def metric(self, name):
        values = [m["values"][0] for m in self.run["metrics"] if m["id"] == name]
        return values[0] if values else 0

    def steps(self):
        return [step for rank in self.run["profile"]["ranks"] for step in rank["steps"]]

    def kernels(self):
        return [k for k in self.run["kernels"] if k["kind"] == "kernel"]

    def words(self):
        return sorted(w["word"] for w in self.run["profile"]["warnings"])


def value_of(imported, key):
    """The imported value under a key of the JSON; None for one that is checked elsewhere."""
    if key in FIGURES:
        return imported.figure(FIGURES[key])
    if key in CALLS:
        return imported.metric("api." + key)
    if key == "distinct_kernel_names":
        return len({kernel["name"] for kernel in imported.kernels()})
    if key in ("steps", "inferred_steps"):
        return len(imported.steps())
    if key == "ranks":
        return len(imported.run["profile"]["ranks"])
    if key == "per_rank":
        return {rank["rank"]: {"kernels": rank["figures"]["gpu.kernel.count"],
                               "wall_span_ns": rank["figures"]["span.wall"]}
                for rank in imported.run["profile"]["ranks"]}
    if key == "per_step":
        return [{"kernels": step["kernels"], "kernel_sum_ns": step["kernel_sum_ns"]}
                for step in imported.steps()]
    return None


def differences(imported, values):
    for key, expected in values.items():
        found = value_of(imported, key)
        if found is not None and found != expected:
            yield f"{key}: {found}, expected {expected}"
        if found is None and key not in ELSEWHERE:
            yield f"{key}: nothing checks it"


def case_problems(kvprof, folder, case):
    file = folder / case["file"]
    before = {path.name for path in folder.iterdir()}
    plain = Imported(kvprof, file)
    if {path.name for path in folder.iterdir()} != before:
        yield "wrote beside its input"
    status = case["status"]
    if status in ("refuse", "partial"):
        if plain.done.returncode != 5:
            yield f"exit code {plain.done.returncode}, expected 5"
        if plain.has_store:
            yield "stored something of a refused file"
        if case["warnings"] and case["warnings"][0] not in plain.done.stderr:
            yield f"does not say {case['warnings'][0]}: {plain.done.stderr}"
        if "hint:" not in plain.done.stderr:
            yield f"no hint: {plain.done.stderr}"
        if status == "refuse":
            return
        plain = Imported(kvprof, file, "--allow-partial")
    if plain.done.returncode != 0:
        yield f"exit code {plain.done.returncode}: {plain.done.stderr}"
        return
    if plain.run["profile"]["is_partial"] != (status == "partial"):
        yield f"is_partial is {plain.run['profile']['is_partial']}"
    if status == "partial":  # what is missing may show further: only what is said must be there
        missing = set(case["warnings"]) - set(plain.words())
        if missing:
            yield f"warnings {plain.words()} lack {missing}"
    elif plain.words() != sorted(case["warnings"]):
        yield f"warnings {plain.words()}, expected {sorted(case['warnings'])}"
    yield from differences(plain, case["values"])


def profile_problems(kvprof, folder, reference):
    imported = Imported(kvprof, folder / reference["file"])
    if "error" in reference:
        if imported.done.returncode != 5:
            yield f"exit code {imported.done.returncode}, expected 5"
        return
    if imported.done.returncode != 0:
        yield f"exit code {imported.done.returncode}: {imported.done.stderr}"
        return
    known = {key: value for key, value in reference.items()
             if key in FIGURES or key in CALLS or key == "distinct_kernel_names"}
    yield from differences(imported, known)
    for name, count in reference.get("launch_family", {}).items():
        if imported.metric("api." + name) != count:
            yield f"{name}: {imported.metric('api.' + name)} calls, expected {count}"
    by_name = {kernel["name"]: kernel for kernel in imported.kernels()}
    for top in reference.get("top5", []):
        found = by_name.get(top["name"], {"launches": 0, "time_ns": 0})
        if (found["launches"], found["time_ns"]) != (top["count"], top["total_ns"]):
            yield f"kernel {top['name'][:60]}: {found}"
    steps = reference.get("steps", {})
    if "ProfilerStep" in steps and len(imported.steps()) != steps["ProfilerStep"]["count"]:
        yield f"{len(imported.steps())} steps, expected {steps['ProfilerStep']['count']}"


def main(kvprof, expected, folder):
    folder = pathlib.Path(folder)
    cases = json.loads(pathlib.Path(expected).read_text())
    problems = []
    for case in cases:
        check = case_problems if "status" in case else profile_problems
        problems += [f"{case['file']}: {line}" for line in check(kvprof, folder, case)]
    print("\n".join(problems) or f"{len(cases)} profiles are as they should be")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
