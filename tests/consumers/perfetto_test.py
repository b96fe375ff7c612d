"""Traces have what a viewer of Chrome's trace events asks for. Usage: perfetto_test.py REPORT_DOCUMENTS"""
import collections
import gzip
import json

import documents


def check_trace(name, trace):
    assert all(isinstance(value, str) for value in trace["otherData"].values()), f"{name}: otherData"
    named = collections.defaultdict(set)  # the tracks of each process
    ends = {}
    for event in trace["traceEvents"]:
        assert event["ph"] in ("M", "X"), f"{name}: {event}"
        assert isinstance(event["pid"], int) and isinstance(event["tid"], int) and event["ts"] >= 0, f"{name}: {event}"
        assert isinstance(event["name"], str), f"{name}: {event}"
        track = (event["pid"], event["tid"])
        if event["name"] == "thread_name":
            assert event["tid"] not in named, "a viewer takes it for the main thread of a process"
            named[event["pid"]].add(event["tid"])
        if event["ph"] == "X":
            assert event["tid"] in named[event["pid"]], f"{name}: a bar on a track without a name"
            assert event["dur"] >= 0 and event["ts"] >= ends.get(track, 0) - 1e-6, f"{name}: bars overlap: {event}"
            ends[track] = event["ts"] + event["dur"]
    return len(named)


def check(folder):
    processes = {}
    for name, text in documents.read(folder, "perfetto"):
        processes[name] = check_trace(name, json.loads(text))
        packed = (folder / f"{name}.gz").read_bytes()
        assert gzip.decompress(packed) == text.encode(), f"{name}.gz holds another text"
        assert packed[4:8] == bytes(4), f"{name}.gz names a time"
    assert processes == {"hostile.perfetto": 2, "lone.perfetto": 2, "run.perfetto": 1}, processes
    trace = json.loads((folder / "lone.perfetto").read_text(encoding="utf-8"))
    names = [event["args"]["name"] for event in trace["traceEvents"] if event["name"] == "process_name"]
    assert names[0].startswith("base: ") and names[1].startswith("candidate: "), names


documents.in_folder(check)
