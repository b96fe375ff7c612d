"""docs/cli.md must say what --help says. Usage: docs_test.py KVPROF DOCS/CLI.MD"""
import re
import subprocess
import sys

VERBS = (
    "run",
    "matrix",
    "tune",
    "sweep",
    "ls",
    "show",
    "rm",
    "tag",
    "diff",
    "gate",
    "baseline",
    "calibrate",
    "ceilings",
    "selftest",
    "report",
    "claims",
    "verify",
    "export",
    "import",
    "merge",
    "sql",
    "schema",
    "doctor",
    "completion",
    "man",
)


def output_of(kvprof, *words):
    return subprocess.run([kvprof, *words], capture_output=True, text=True, check=True).stdout


def problems_in(kvprof, page):
    documented = set(re.findall(r"^\| `(--[a-z0-9-]+)", page, re.MULTILINE))
    offered = set()
    for verb in VERBS:
        offered |= set(re.findall(r"^  (?:-\w,)?(--[a-z0-9-]+)", output_of(kvprof, verb, "--help"), re.MULTILINE))
        if f"## kvprof {verb}\n" not in page:
            yield f"docs/cli.md has no section on kvprof {verb}"
    for option in sorted(offered - documented):
        yield f"docs/cli.md has no row for {option}"
    for option in sorted(documented - offered):
        yield f"docs/cli.md describes {option}, which no verb takes"
    for code in re.findall(r"^ +(\d+)  ", output_of(kvprof, "help", "exit-codes"), re.MULTILINE):
        if f"| {code} |" not in page:
            yield f"docs/cli.md has no row for exit code {code}"
    yield from stale_rows(kvprof, page)


def stale_rows(kvprof, page):
    """A row shows the default, and the choices of an option, as --help does."""
    for verb in VERBS:
        text = re.sub(r"\|\n {6}", "|", output_of(kvprof, verb, "--help"))
        text = re.sub(r"\n {20,}", " ", text)
        for name, value, doc in re.findall(r"^  (?:-\w,)?(--[a-z0-9-]+)(?: (\S+))? +(\S.*)$", text, re.MULTILINE):
            default = re.search(r" \[([^\]]*)\]$", doc)
            wanted = (value.replace("|", ", "), default[1] if default else "")
            if wanted not in cells_of(page, name):
                yield f"the row of {name} in docs/cli.md has not the value and default {wanted}"


def cells_of(page, name):
    """(value, default) of every row that describes the option."""
    rows = [line.split("|") for line in page.splitlines() if re.match(rf"\| `{name}`[ ,]", line)]
    return [(row[2].strip(), row[3].strip()) for row in rows]


if __name__ == "__main__":
    with open(sys.argv[2], encoding="utf-8") as file:
        found = list(problems_in(sys.argv[1], file.read()))
    print(*found, sep="\n")
    sys.exit(1 if found else 0)
