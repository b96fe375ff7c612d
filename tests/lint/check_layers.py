"""Fails if a file includes what its layer may not see. Usage: check_layers.py [ROOT]

The tables are docs/adr/0001 (layers) and docs/adr/0002 (the CUDA seam).
"""
import re
import sys

from sources import report, root_argument, source_files

MAY_INCLUDE = {
    "stats": {"stats"},
    "kernels": {"kernels"},
    "capture/model": {"capture/model"},
    "capture/workload": {"capture/workload", "capture/model", "kernels"},
    "capture/import": {"capture/import", "capture/model"},
    "capture/activity": {"capture/activity", "capture/model"},
    "capture": {
        "capture",
        "capture/activity",
        "capture/workload",
        "capture/model",
        "kernels",
        "stats",
    },
    "db": {"db", "capture/model"},
    "analyzers": {"analyzers", "capture/model", "stats"},
    "report": {"report", "analyzers", "capture/model", "stats"},
    "cli": {
        "cli",
        "capture",
        "capture/import",
        "capture/activity",
        "capture/workload",
        "capture/model",
        "kernels",
        "db",
        "analyzers",
        "report",
        "stats",
    },
}

# Third-party header -> the files that may include it, as a pattern on the path.
THIRD_PARTY = {
    r"CLI/": r"cli/parse\w*\.(h|cpp)$",
    r"SQLiteCpp/|sqlite3": r"(db/|capture/import/).*\.cpp$",
    r"toml\+\+/": r"((analyzers|report|capture/workload|capture/experiment)/.*\.cpp|capture/workload/toml_section\.h)$",
    r"nlohmann/": r"((analyzers|report|cli|capture/import)/.*\.cpp|analyzers/json_values\.h)$",
    r"simdjson": r"capture/import/.*\.cpp$",
    r"zlib": r"(capture/import/.*|report/gzip)\.cpp$",
    r"pugixml": r"report/.*\.cpp$",
    r"fmt/": r"(cli|capture|analyzers|report|db)/.*\.cpp$",
    r"gtest/|gmock/|benchmark/": r"$^",
}
CUDA_HEADER = re.compile(r"cuda|cupti|nvtx3|nvml|cooperative_groups|cub/|cccl/|thrust/|vector_types")
CUDA_MACRO = re.compile(r"\b(KVPROF_WITH_CUDA|__CUDACC__|__CUDA_ARCH__)\b")
KNOWS_THE_VARIANT = {"kernels/hd.h", "capture/executor_factory.cpp"}
INCLUDE = re.compile(r'\s*#\s*include\s+([<"])([^>"]+)[>"]')


def layer_of(path):
    matches = [l for l in MAY_INCLUDE if path == l or path.startswith(l + "/")]
    return max(matches, key=len, default=None)


def check_own(rel, own, header):
    seen = layer_of(header)
    if seen is None:
        return f"{header} is not named from the repository root"
    if seen not in MAY_INCLUDE[own]:
        return f"{own} may not include {header}"
    if "/cuda/" in header and "/cuda/" not in rel and rel not in KNOWS_THE_VARIANT:
        return f"{header} needs the CUDA toolkit, and this file lies outside a cuda/ folder"
    return None


def check_foreign(rel, own, header):
    if CUDA_HEADER.match(header):
        return None if "/cuda/" in rel else "CUDA header outside a cuda/ folder"
    for library, allowed in THIRD_PARTY.items():
        if re.match(library, header) and not re.match(allowed, rel):
            return f"<{header}> may not be included here"
    # A standard header has neither a folder nor an extension; POSIX is for cli and capture.
    if own == "kernels" and re.search(r"[./]", header):
        return f"kernels may not include third-party <{header}>"
    return None


def check_file(rel, own, text):
    for number, line in enumerate(text.splitlines(), 1):
        if include := INCLUDE.match(line):
            bracket, header = include.groups()
            check = check_foreign if bracket == "<" else check_own
            if problem := check(rel, own, header):
                yield f"{rel}:{number}: {problem}"
        if CUDA_MACRO.search(line) and "/cuda/" not in rel and rel not in KNOWS_THE_VARIANT:
            yield f"{rel}:{number}: only {' and '.join(sorted(KNOWS_THE_VARIANT))} know the variant"


def main(root):
    problems = []
    for path, rel in source_files(root):
        if own := layer_of(rel):
            problems += check_file(rel, own, path.read_text())
    return report(problems)


if __name__ == "__main__":
    sys.exit(main(root_argument()))
