"""Prints figures of a profile as a script would make them: profile_sums.py FILE

Of a Kineto trace by json.load, of an Nsight Systems export by sqlite3; nanoseconds and counts, by
kvprof's names. import_speed.py holds kvprof's figures and time against these.
"""
import collections
import json
import sqlite3
import sys

LAUNCHES = {"cudaLaunchKernel", "cudaLaunchKernelExC"}
WORK = {"kernel", "gpu_memcpy", "gpu_memset"}
CALLS = {"cuda_runtime", "cuda_driver"}


def union(spans):
    length, end = 0, None
    for start, stop in sorted(spans):
        if end is None or start > end:
            length, end = length + stop - start, stop
        elif stop > end:
            length, end = length + stop - end, stop
    return length


def top_level(ops):
    """The time in operators that no other of their thread encloses."""
    total = 0
    for spans in ops.values():
        end = None
        for start, stop in sorted(spans, key=lambda span: (span[0], -span[1])):
            if end is None or stop > end:
                total, end = total + stop - start, stop
    return total


def of_kineto(path):
    with open(path, "rb") as file:
        events = json.load(file)["traceEvents"]
    kernels, work, spans, calls = [], [], [], {}
    ops = collections.defaultdict(list)
    for event in events:
        category = event.get("cat")
        if event["ph"] != "X" or category not in WORK | CALLS | {"cpu_op"}:
            continue
        start, duration = round(event["ts"] * 1000), round(event["dur"] * 1000)
        span = (start, start + duration)
        spans.append(span)
        if category == "cpu_op":
            ops[event["pid"], event["tid"]].append(span)
        elif category in CALLS:
            calls[event["args"]["correlation"]] = event["name"]
        else:
            work.append(span)
            if category == "kernel":
                kernels.append((*span, event["args"]["correlation"]))
    return {**of_kernels(kernels, calls),
            "gpu.busy": union(work),
            "span.wall": max(stop for _, stop in spans) - min(start for start, _ in spans),
            "cpu_op.count": sum(len(spans) for spans in ops.values()),
            "cpu_op.inclusive": sum(b - a for spans in ops.values() for a, b in spans),
            "cpu_op.top": top_level(ops)}


def of_kernels(kernels, calls):
    """Kernels as (start, end, correlation), calls by correlation."""
    names = collections.Counter(calls.values())
    in_graphs = sum(calls.get(correlation) == "cudaGraphLaunch" for _, _, correlation in kernels)
    return {"gpu.kernel.count": len(kernels),
            "gpu.kernel.sum": sum(stop - start for start, stop, _ in kernels),
            "gpu.kernel.union": union([kernel[:2] for kernel in kernels]),
            "kernels.graph.count": in_graphs,
            "kernels.orphan.count": sum(kernel[2] not in calls for kernel in kernels),
            "api.calls": len(calls),
            "api.launch": sum(names[name] for name in LAUNCHES),
            "api.graph_launch": names["cudaGraphLaunch"]}


def of_nsys(path):
    with sqlite3.connect(path) as base:
        kernels = base.execute(
            "SELECT start, end, correlationId FROM CUPTI_ACTIVITY_KIND_KERNEL").fetchall()
        rows = base.execute(
            "SELECT correlationId, value FROM CUPTI_ACTIVITY_KIND_RUNTIME JOIN StringIds "
            "ON id = nameId")
        calls = {correlation: name.split("_v")[0] for correlation, name in rows}
    return of_kernels(kernels, calls)


def main(path):
    with open(path, "rb") as file:
        is_sqlite = file.read(6) == b"SQLite"
    print(json.dumps(of_nsys(path) if is_sqlite else of_kineto(path)))


if __name__ == "__main__":
    main(*sys.argv[1:])
