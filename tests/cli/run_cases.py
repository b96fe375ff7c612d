"""Runs the command-line cases. Usage: run_cases.py KVPROF CASE...

A case is a text file, each step on lines of its own:

    $ kvprof run --btach 8        a shell command; kvprof is the program under test
    exit 2                        its exit code (0 when left out)
    out: TEXT                     stdout has TEXT             out! TEXT    stdout has it nowhere
    err: TEXT                     stderr has TEXT             err! TEXT    stderr has it nowhere
    out = NAME                    stdout is the file golden/NAME (rewritten with KVPROF_UPDATE_GOLDEN=1)
    out empty                     stdout is empty

Steps of a case share a fresh folder, which is home, temporary folder and store. $TINY is a step that
the host executor runs in no time; $PLAYED the same step with times that --script FILE plays, and
nothing on stderr but what is wrong. $DATA is the folder tests/data. A line that starts with # is a comment.
"""
import os
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).parent
STEP = "--preset tiny-mla --batch 2 --max-batch 4 --seq-len 64 --max-context 256"
TINY = f"--executor host {STEP} --samples 2 --replays 2 --warmup-max 0.05"
PLAYED = f"--executor scripted {STEP} --samples 3 --replays 1 --passes timing --no-progress"


def environment(kvprof, folder):
    """Nothing of the caller's settings; only the program under test is called kvprof."""
    (folder / "bin").mkdir()
    (folder / "bin" / "kvprof").symlink_to(pathlib.Path(kvprof).resolve())
    (folder / "tmp").mkdir()
    keep = {k: v for k, v in os.environ.items() if k.startswith(("ASAN_", "UBSAN_", "TSAN_", "LSAN_"))}
    # A sanitizer ends the program where malloc would answer "no memory", which is a case here.
    keep["ASAN_OPTIONS"] = keep.get("ASAN_OPTIONS", "") + ":allocator_may_return_null=1"
    return keep | {
        "PATH": f"{folder}/bin:{os.environ['PATH']}",
        "HOME": str(folder),
        "TMPDIR": str(folder / "tmp"),
        "TINY": TINY,
        "PLAYED": PLAYED,
        "DATA": str(HERE.parent / "data"),
        "LC_ALL": "C.UTF-8",
    }


def steps_of(text):
    """Yields (command, its checks) in order."""
    command, checks = None, []
    for line in text.splitlines():
        if line.startswith("$ "):
            if command:
                yield command, checks
            command, checks = line[2:], []
        elif line and not line.startswith("#"):
            checks.append(line)
    if command:
        yield command, checks


def check_golden(name, text):
    path = HERE / "golden" / name
    if os.environ.get("KVPROF_UPDATE_GOLDEN") == "1":
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    return path.exists() and path.read_text() == text


def holds(check, done):
    streams = {"out": done.stdout, "err": done.stderr}
    word, _, rest = check.partition(" ")
    if word == "exit":
        return True
    if check.startswith("out = "):
        return check_golden(check[len("out = "):], done.stdout)
    if rest == "empty":
        return streams[word] == ""
    present = rest in streams[word[:-1]]
    return present if word.endswith(":") else not present


def run_case(kvprof, path):
    """Returns what went wrong, as text lines."""
    with tempfile.TemporaryDirectory(prefix="kvprof-case-") as name:
        env = environment(kvprof, pathlib.Path(name))
        work = pathlib.Path(name) / "work"
        work.mkdir()
        for command, checks in steps_of(path.read_text()):
            done = subprocess.run(
                ["sh", "-c", command], cwd=work, env=env, capture_output=True, text=True, timeout=100
            )
            codes = [int(check.split()[1]) for check in checks if check.startswith("exit ")]
            problems = [check for check in checks if not holds(check, done)]
            if done.returncode != (codes or [0])[0]:
                problems.append(f"exit code {done.returncode}")
            if problems:
                return [f"$ {command}", *[f"  failed: {p}" for p in problems], done.stdout, done.stderr]
    return []


def main(kvprof, cases):
    failed = 0
    for case in cases:
        problems = run_case(kvprof, pathlib.Path(case))
        failed += bool(problems)
        print(("FAILED " if problems else "ok     ") + pathlib.Path(case).name, *problems, sep="\n")
    return 1 if failed or not cases else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
