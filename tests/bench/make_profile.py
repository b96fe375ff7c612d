"""Writes large profiles of a decode loop: make_profile.py --kineto BYTES FILE | --nsys KERNELS FILE

A Kineto trace of about BYTES, or an Nsight Systems export with KERNELS kernels, of several decode
steps each. The same numbers give the same file. import_speed.py reads what comes out.
"""
import random
import sqlite3
import sys

STEP_US = 20_000
FIRST_US = 4_000_000_000
VARIANTS = 8  # of a step: names and durations differ
GRAPHS, GRAPH_KERNELS, EAGER, FRAMES = 4, 120, 60, 1500  # a step
T, C, E = range(3)  # what a number of a step counts from: its time, correlation, event


class Template:
    """The text of a step with places for the numbers that differ between steps."""

    def __init__(self):
        self.parts, self.slots = [], []

    def number(self, base, offset):
        self.slots.append((base, offset))
        return "%d"

    def time(self, ns):
        return f"{self.number(T, ns // 1000)}.{ns % 1000:03d}"

    def add(self, cat, name, place, start_ns, dur_ns, args):
        """A complete event; place is (pid, tid), args a function that gives its text."""
        name = name.replace("%", "%%")
        self.parts.append(
            f'  {{\n    "ph": "X", "cat": "{cat}", "name": "{name}", '
            f'"pid": {place[0]}, "tid": {place[1]},\n    "ts": {self.time(start_ns)}, '
            f'"dur": {dur_ns // 1000}.{dur_ns % 1000:03d},\n    "args": {{\n      {args()}\n'
            "    }\n  },\n")

    def add_flow(self, phase, correlation, place, ns):
        end = ', "bp": "e"' if phase == "f" else ""
        self.parts.append(
            f'  {{\n    "ph": "{phase}", "id": {self.number(C, correlation)}, "pid": {place[0]}, '
            f'"tid": {place[1]}, "ts": {self.time(ns)},\n    "cat": "ac2g", "name": "ac2g"{end}\n'
            "  },\n")

    def text(self):
        whole = "".join(self.parts)
        slots = tuple(self.slots)
        return lambda bases: whole % tuple([bases[base] + offset for base, offset in slots])


HOST = (4711, 4711)


def add_kernel(to, name, stream, start_ns, dur_ns, correlation, external):
    to.add("kernel", name, (0, stream), start_ns, dur_ns, lambda: (
        (f'"External id": {to.number(E, external)},' if external is not None else "")
        + f'"queued": 0, "device": 0, "context": 1,\n      "stream": {stream}, "correlation": '
        f'{to.number(C, correlation)},\n      "registers per thread": 40,\n      "shared memory": '
        '8192,\n      "blocks per SM": 1.939394,\n      "warps per SM": 7.757576,\n      "grid": '
        '[256, 1, 1],\n      "block": [128, 1, 1],\n      "est. achieved occupancy %%": 12'))
    to.add_flow("f", correlation, (0, stream), start_ns)


def add_call(to, name, start_ns, dur_ns, correlation, external):
    to.add("cuda_runtime", name, HOST, start_ns, dur_ns, lambda: (
        f'"External id": {to.number(E, external)},"cbid": 211, '
        f'"correlation": {to.number(C, correlation)}'))


def add_op(to, name, start_ns, dur_ns, external):
    to.add("cpu_op", name, HOST, start_ns, dur_ns, lambda: (
        f'"External id": {to.number(E, external)},"Record function id": 0, "Concrete Inputs": ["", '
        '"", "1"], "Input type": ["c10::BFloat16", "c10::BFloat16", "Scalar"], "Input Strides": '
        '[[4096, 1], [4096, 1], []], "Input Dims": [[32, 4096], [32, 4096], []], "Ev Idx": '
        f'{to.number(E, external)}'))


def host_part(seed):
    """The operators, frames and the annotation of a step, as the host's threads recorded them."""
    to, rng = Template(), random.Random(seed)
    to.add("user_annotation", "step[DECODE bs=32]", HOST, 0, 19_000_000,
           lambda: f'"External id": {to.number(E, 0)},"Record function id": 0, "Ev Idx": 0')
    for i in range(EAGER):  # two nested operators around each launch
        start = 10_000 + i * 300_000 + rng.randrange(1000)
        add_op(to, f"aten::op_{(i * 7 + seed) % 31}", start, 90_000 + rng.randrange(9000), 2 * i)
        add_op(to, f"aten::inner_{i % 17}", start + 5000, 60_000 + rng.randrange(9000), 2 * i + 1)
    for i in range(FRAMES):
        start = 1000 + i * 12_000 + rng.randrange(1000)
        to.add("python_function", f"engine/layers/module_{i % 61}.py({10 + i % 400}): forward", HOST,
               start, 11_000 + rng.randrange(1000), lambda frame=i: (
                   f'"Python parent id": {to.number(E, frame)}, "Python id": '
                   f'{to.number(E, frame + 1)}, "Ev Idx": {to.number(E, frame)}'))
    return to.text()


def device_part(seed):
    """The calls of a step and what they ran: eager kernels, graph replays, a copy."""
    to, rng = Template(), random.Random(1000 + seed)
    for i in range(EAGER):
        call = 30_000 + i * 300_000 + rng.randrange(1000)
        to.add_flow("s", i, HOST, call)
        add_call(to, "cudaLaunchKernelExC" if i % 3 else "cudaLaunchKernel", call,
                 4000 + rng.randrange(3000), i, 2 * i + 1)
        add_kernel(to, f"void at::native::elementwise_{i % 19}<4, at::native::Functor<float>, "
                       "std::array<char*, 3ul>>(int, float)", 7, call + 20_000 + rng.randrange(500),
                   2000 + rng.randrange(9000), i, 2 * i + 1)
    for graph in range(GRAPHS):
        correlation, call = EAGER + graph, 200_000 + graph * 4_500_000
        to.add_flow("s", correlation, HOST, call)
        add_call(to, "cudaGraphLaunch", call, 55_000, correlation, 0)
        start = call + 60_000
        for i in range(GRAPH_KERNELS):
            dur = 3000 + rng.randrange(30_000)
            add_kernel(to, f"void gemm_kernel_{i % 23}<cutlass::bfloat16_t, 128, 64>(Params)",
                       7 + 6 * (i % 11 == 0), start, dur, correlation, None)
            start += dur - 200 * (i % 5 == 0)  # some begin before the last one ended
    correlation = EAGER + GRAPHS
    add_call(to, "cudaMemcpyAsync", 18_500_000, 9000, correlation, 1)
    to.add("gpu_memcpy", "Memcpy DtoH (Device -> Pinned)", (0, 7), 18_900_000, 1500, lambda: (
        f'"device": 0, "context": 1,\n      "stream": 7, "correlation": {to.number(C, correlation)},'
        '\n      "bytes": 128, "memory bandwidth (GB/s)": 0.085333'))
    add_call(to, "cudaStreamSynchronize", 18_510_000, 300_000, correlation + 1, 1)
    return to.text()


HEAD = """{
  "schemaVersion": 1,
  "deviceProperties": [
    {"id": 0, "name": "NVIDIA TEST GPU", "totalGlobalMem": 150109880320, "numSms": 132}
  ],
  "distributedInfo": {"backend": "nccl", "rank": 0, "world_size": 1},
  "with_stack": 1,
  "baseTimeNanoseconds": 1767189312000000000,
  "traceEvents": [
"""
TAIL = """  {
    "ph": "i", "s": "g", "name": "Record Window End", "pid": "", "tid": "", "ts": 9999999999.000
  }
  ],
  "traceName": "trace.json"
}
"""


def write_kineto(size, path):
    """Host events of all steps first, then the device's, as Kineto puts them."""
    parts = [[part(seed) for seed in range(VARIANTS)] for part in (host_part, device_part)]
    bases = lambda step: (FIRST_US + step * STEP_US, 1 + step * 100, step * 10_000)
    steps = max(2, size // sum(len(part[0](bases(1000))) for part in parts))
    with open(path, "wb", 1 << 20) as file:
        file.write(HEAD.encode())
        for part in parts:
            for step in range(steps):
                file.write(part[step % VARIANTS](bases(step)).encode())
        file.write(TAIL.encode())


SCHEMA = """
CREATE TABLE META_DATA_EXPORT(name TEXT, value TEXT);
INSERT INTO META_DATA_EXPORT VALUES('EXPORT_PRODUCT_VERSION', '2026.2.1.210'),
  ('EXPORT_SCHEMA_VERSION', '3.25.0');
CREATE TABLE StringIds(id INTEGER PRIMARY KEY, value TEXT);
CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME(start INTEGER, end INTEGER, eventClass INTEGER,
  globalTid INTEGER, correlationId INTEGER, nameId INTEGER, returnValue INTEGER, callchainId INTEGER);
CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL(start INTEGER, end INTEGER, deviceId INTEGER,
  contextId INTEGER, greenContextId INTEGER, streamId INTEGER, correlationId INTEGER,
  globalPid INTEGER, demangledName INTEGER, shortName INTEGER, mangledName INTEGER,
  gridX INTEGER, gridY INTEGER, gridZ INTEGER, blockX INTEGER, blockY INTEGER, blockZ INTEGER,
  registersPerThread INTEGER, staticSharedMemory INTEGER, dynamicSharedMemory INTEGER,
  graphNodeId INTEGER, graphId INTEGER);
"""
# Kernel i begins at 10 i us. Every second hundred is one graph's, the others are launched alone.
ROWS = """
WITH RECURSIVE kernel(i) AS (VALUES(0) UNION ALL SELECT i + 1 FROM kernel WHERE i + 1 < {kernels})
INSERT INTO {table} FROM kernel"""
KERNEL_ROWS = """CUPTI_ACTIVITY_KIND_KERNEL SELECT 10000 * i + 5000, 10000 * i + 7000 + i * 7919 % 9000,
  0, 1, NULL, 7 + (i % 11 = 0), CASE WHEN i / 100 % 2 THEN i - i % 100 ELSE i END, {pid}, 10 + i % 97,
  10 + i % 97, 10 + i % 97, 256, 1, 1, 128, 1, 1, 40, 0, 8192,
  CASE WHEN i / 100 % 2 THEN 4294967296 + i % 100 END, CASE WHEN i / 100 % 2 THEN 1 END"""
CALL_ROWS = """CUPTI_ACTIVITY_KIND_RUNTIME SELECT 10000 * i, 10000 * i + 3000 + i * 31 % 2000, 0,
  {pid} + 4711, i, CASE WHEN i / 100 % 2 THEN 2 ELSE 1 END, 0, NULL"""


def write_nsys(kernels, path):
    pid = 4711 << 24
    with sqlite3.connect(path) as base:
        base.executescript("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;" + SCHEMA)
        base.executemany("INSERT INTO StringIds VALUES(?, ?)", [
            (1, "cudaLaunchKernel_v7000"), (2, "cudaGraphLaunch_v10000"),
            *((10 + i, f"void gemm_kernel_{i}<(int)128, (int)64>(Params)") for i in range(97))])
        base.execute(ROWS.format(kernels=kernels, table=KERNEL_ROWS.format(pid=pid)))
        base.execute(ROWS.format(kernels=kernels, table=CALL_ROWS.format(pid=pid))
                     + " WHERE i / 100 % 2 = 0 OR i % 100 = 0")
    base.close()


def main(kind, number, path):
    {"--kineto": write_kineto, "--nsys": write_nsys}[kind](int(float(number)), path)


if __name__ == "__main__":
    main(*sys.argv[1:])
