"""Fails if a guard can be deleted without a test noticing. Usage: mutation_check.py [--gpu] [ROOT]

Property P10: copies the tree to a temporary folder, breaks one guard at a time there, and expects
the kernel host tests to fail. Takes a few minutes; needs CMake, Ninja and a compiler. With --gpu it
breaks device code and expects the kernel gpu tests to fail: it needs a device and a CUDA toolkit.
"""
import argparse
import dataclasses
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

from mutations import GPU_MUTATIONS, HOST_MUTATIONS

COPIED = ("CMakeLists.txt", "cmake", "cli", "capture", "kernels", "analyzers", "db", "tests")


@dataclasses.dataclass
class Tree:
    root: pathlib.Path
    build: pathlib.Path
    target: str

    def configure(self, options):
        command = ["cmake", "-S", self.root, "-B", self.build, "-G", "Ninja", *options]
        command += ["-DCMAKE_BUILD_TYPE=Debug", "-DCMAKE_CXX_FLAGS_DEBUG=-O0"]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)

    def compile(self):
        command = ["cmake", "--build", self.build, "--target", self.target]
        return subprocess.run(command, capture_output=True, text=True)

    def builds_green(self):
        """None, or what is wrong with the tree as it stands."""
        built = self.compile()
        if built.returncode == 0 and self.is_green():
            return None
        return "mutation_check: the unchanged tree is not green\n" + built.stdout[-2000:]

    def is_green(self):
        # A mutant may read far outside its buffers, or loop: a crash and a time-out are red too.
        try:
            done = subprocess.run(
                [self.build / "tests/kernels" / self.target, "--gtest_brief=1", "--gtest_fail_fast"],
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                timeout=60,
            )
        except subprocess.TimeoutExpired:
            return False
        return done.returncode == 0


def copy_tree(root, folder, target):
    for name in COPIED:
        source = root / name
        if source.is_dir():
            shutil.copytree(source, folder / name)
        else:
            shutil.copy(source, folder / name)
    return Tree(folder, folder / "build", target)


def verdict(tree, mutation):
    """None when the tests notice the mutation, else what is wrong."""
    path = tree.root / mutation.file
    original = path.read_text()
    if original.count(mutation.old) != 1:
        return f"its text stands {original.count(mutation.old)} times in {mutation.file}"
    path.write_text(original.replace(mutation.old, mutation.new))
    try:
        built = tree.compile()
        if built.returncode != 0:
            return "does not compile\n" + built.stdout[-2000:]
        return "SURVIVES: no test fails" if tree.is_green() else None
    finally:
        path.write_text(original)


def has_device():
    return shutil.which("nvidia-smi") and not subprocess.run(
        ["nvidia-smi", "-L"], capture_output=True, check=False
    ).returncode


def main(root, is_gpu):
    mutations = GPU_MUTATIONS if is_gpu else HOST_MUTATIONS
    options = ["-DKVPROF_CUDA=OFF"]
    if is_gpu:
        if not has_device():
            print("mutation_check: --gpu needs a device, and nvidia-smi lists none")
            return 1
        arch = subprocess.run(root / ".ci/cuda-arch", capture_output=True, text=True, check=True)
        options = ["-DKVPROF_CUDA=ON", f"-DCMAKE_CUDA_ARCHITECTURES={arch.stdout.strip()}"]
    with tempfile.TemporaryDirectory(prefix="kvprof-mutation-") as folder:
        tree = copy_tree(
            root, pathlib.Path(folder), "kernels_gpu_test" if is_gpu else "kernels_test"
        )
        tree.configure(options)
        if problem := tree.builds_green():
            print(problem)
            return 1
        problems = 0
        for mutation in mutations:
            start = time.monotonic()
            problem = verdict(tree, mutation)
            seconds = time.monotonic() - start
            print(f"{seconds:5.1f} s  {mutation.name}: {problem or 'red'}", flush=True)
            problems += problem is not None
        # Red would prove nothing if the tree had been left broken on the way.
        if problem := tree.builds_green():
            print(problem)
            return 1
        print(f"{len(mutations)} mutations, {problems} not noticed")
        return 1 if problems else 0


if __name__ == "__main__":
    os.environ.setdefault("CCACHE_DISABLE", "1")  # mutants would fill the cache
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    here = pathlib.Path(__file__)
    parser.add_argument("root", nargs="?", type=pathlib.Path, default=here.parents[2])
    parser.add_argument("--gpu", action="store_true")
    arguments = parser.parse_args()
    sys.exit(main(arguments.root, arguments.gpu))
