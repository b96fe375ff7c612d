"""The source files that the lint scripts look at, in one place."""
import pathlib
import sys

FOLDERS = ("cli", "capture", "kernels", "analyzers", "db", "report", "stats", "tests", "examples", "cmake")
CPP_SUFFIXES = (".h", ".cuh", ".cpp", ".cu")


def source_files(root, suffixes=CPP_SUFFIXES):
    """Yields (path, path relative to root) of every source file, sorted."""
    root = pathlib.Path(root)
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*")):
            if path.is_file() and path.suffix in suffixes:
                yield path, path.relative_to(root).as_posix()


def report(problems):
    """Prints the problems; the exit code of a lint script."""
    for problem in problems:
        print(problem)
    return 1 if problems else 0


def root_argument():
    """The repository root: the first argument, or the one this file lies in."""
    return pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else pathlib.Path(__file__).parents[2]
