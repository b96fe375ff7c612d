"""Fails if a header does not compile alone. Usage: check_headers.py [ROOT] [INCLUDE_DIR...]

Compiles one source file per header, which includes nothing else, with $CXX (g++). Headers in a
cuda/ folder need the toolkit's headers ($CUDA_HOME, nvcc's folder or /usr/local/cuda) and are
skipped without them; .cuh files are device code and left to nvcc.
"""
import concurrent.futures
import os
import pathlib
import shutil
import subprocess
import sys

from sources import report, root_argument, source_files

FLAGS = ["-std=c++20", "-fsyntax-only", "-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Wconversion"]
FLAGS += ["-Wsign-conversion", "-Wold-style-cast", "-Werror"]


def cuda_include_dirs():
    nvcc = shutil.which("nvcc")
    homes = [os.environ.get("CUDA_HOME"), nvcc and pathlib.Path(nvcc).resolve().parents[1]]
    for home in [pathlib.Path(h) for h in [*homes, "/usr/local/cuda"] if h]:
        if (home / "include/cuda_runtime_api.h").exists():
            return [home / "include", home / "extras/CUPTI/include"]
    return []


def compile_alone(root, rel, include_dirs):
    includes = [f"-I{root}"] + [arg for path in include_dirs for arg in ("-isystem", str(path))]
    command = [os.environ.get("CXX", "g++"), *FLAGS, *includes, "-x", "c++", "-"]
    done = subprocess.run(command, input=f'#include "{rel}"\n', capture_output=True, text=True)
    return f"{rel}: does not compile alone\n{done.stderr}" if done.returncode else None


def main(root, include_dirs):
    cuda = cuda_include_dirs()
    headers = [rel for _, rel in source_files(root, (".h",))]
    if not cuda:
        if skipped := sum("/cuda/" in rel for rel in headers):
            print(f"check_headers: no CUDA toolkit, {skipped} headers skipped", file=sys.stderr)
        headers = [rel for rel in headers if "/cuda/" not in rel]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = pool.map(lambda rel: compile_alone(root, rel, include_dirs + cuda), headers)
        return report([problem for problem in results if problem])


if __name__ == "__main__":
    sys.exit(main(root_argument(), [pathlib.Path(p) for p in sys.argv[2:]]))
