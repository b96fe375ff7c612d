"""jsonschema validates what kvprof writes by kvprof's schemas, finds no member that they do not
describe, and refuses what is broken. Usage: json_schema_test.py REPORT_DOCUMENTS GOLDEN_FOLDER KVPROF"""
import copy
import json
import os
import pathlib
import shlex
import subprocess
import sys
import tempfile

import documents
from jsonschema import Draft202012Validator

STEP = "--preset tiny-mla --batch 2 --seq-len 64 --max-context 2048"
PLAYED = f"--executor scripted {STEP} --samples 3 --replays 1 --passes timing --no-progress --db a.db"
TRACED = f"--executor host {STEP} --samples 2 --replays 2 --warmup-max 0.05 --no-progress --db a.db"

TUNED = ("--executor scripted --script base --preset tiny-mla --max-context 2048 --samples 3 --replays 1"
         " --no-progress --db a.db --shape 2x64 --shape 2x16+900 --shape 512x8 --split rows,flat --threads 128"
         " --items 4 --blocks 528")

# Everything that has a document, by what the scripted executor plays; the exit code does not matter.
COMMANDS = f"""
run {PLAYED} --script base --vary index-mode=stream,rectangle --label grid --json
run {PLAYED} --ab script=base script=slow --runs 6 --order-seed 7 --label pair --json
run {PLAYED} --script lost --json
run {PLAYED} --script base --repeats 2 --dry-run --json
run {PLAYED} --ab script=base script=slow --runs 6 --order-seed 7 --dry-run --json
run {TRACED} --passes all --trace-steps 2 --json
run {PLAYED} --ab script=base script=slow --vary index-mode=stream,rectangle --runs 1 --label cells --json
sweep {TRACED} --trace-steps 2 --max-batch 4 --axis seq-len=32,64,4Ki --axis batch=1,2,4 --label star --json
sweep {TRACED} --trace-steps 2 --axis seq-len=32,64,128 --ab index-mode=rectangle index-mode=stream --json
show --db a.db cells/side=a --json
diff --db a.db pair --json
diff --db a.db pair/side=a pair/side=b --json
diff --db a.db grid --by index-mode --json
gate --db a.db pair --json
show --db a.db pair --json
tag --db a.db release pair
tag --db a.db --json
baseline set main pair/side=a --db a.db --reason first
baseline ls --db a.db --json
ls --db a.db --json
tune token-stream {TUNED} --json
calibrate {PLAYED} --script base --runs 10 --json
doctor --json
--version --json
report --db a.db pair --format json
report --db a.db pair/side=a --format json
report --db a.db pair --claims claims.toml -o pair.json
verify --db a.db pair.json --json
claims check claims.toml pair --db a.db --json
report --db a.db pair --format jsonl
show --db a.db pair --format jsonl
sql --db a.db --json "SELECT uuid, position, NULL, 0.5, x'00ff' FROM run"
"""
REQUIRED = {"experiment", "comparison", "comparisons", "pairs", "gate", "listing", "plan", "calibration",
            "baselines", "claims", "verification", "rows", "version", "doctor", "tags"}


class Schemas:
    def __init__(self, folder):
        self.texts = {}
        for file in folder.glob("*.json"):
            self.texts[file.stem] = json.loads(file.read_text(encoding="utf-8"))
            Draft202012Validator.check_schema(self.texts[file.stem])
        self.validators = {name: Draft202012Validator(text) for name, text in self.texts.items()}

    def name_of(self, document):
        named = document.get("schema") or "kvprof.report-lines/1"
        name, version = named.removeprefix("kvprof.").split("/")
        assert version == "1" and name in self.texts, f"there is no schema {named}"
        return name

    def check(self, where, document):
        name = self.name_of(document)
        for error in self.validators[name].iter_errors(document):
            deepest = min([error, *error.context], key=lambda e: -len(e.absolute_path))
            raise AssertionError(f"{where}: at {list(deepest.absolute_path)}: {deepest.message[:1000]}")
        for path in undescribed(document, [self.texts[name]], self.texts[name]):
            raise AssertionError(f"{where}: schema {name} does not describe {path}")
        return name


def parts_of(schema, root, value):
    """The schemas that hold for the value, without references and combinations."""
    if "$ref" in schema:
        yield from parts_of(root["$defs"][schema["$ref"].rsplit("/", 1)[1]], root, value)
    yield schema
    for each in schema.get("allOf", []):
        yield from parts_of(each, root, value)
    for each in schema.get("anyOf", []) + schema.get("oneOf", []):
        if Draft202012Validator({**each, "$defs": root.get("$defs", {})}).is_valid(value):
            yield from parts_of(each, root, value)


def undescribed(value, schemas, root, path=""):
    """Paths of the members that no schema names."""
    parts = [part for schema in schemas for part in parts_of(schema, root, value)]
    if isinstance(value, dict):
        for key, member in value.items():
            known = [part["properties"][key] for part in parts if key in part.get("properties", {})]
            if not known:
                yield f"{path}/{key}"
            yield from undescribed(member, known, root, f"{path}/{key}")
    elif isinstance(value, list):
        items = [part["items"] for part in parts if "items" in part]
        for element in value:
            yield from undescribed(element, items, root, f"{path}/*")


def places(value, path=()):
    """One place of each kind: of a list, its first element stands for all."""
    yield path
    if isinstance(value, dict):
        for key, member in value.items():
            yield from places(member, (*path, key))
    elif isinstance(value, list) and value:
        yield from places(value[0], (*path, 0))


def check_mutations(schemas, document):
    """Without a member, or with one of a wrong type, a document is refused."""
    validator = schemas.validators[schemas.name_of(document)]
    optional = {"report", "limits"}
    for path in places(document):
        if not path:
            continue
        for change in ("without", "wrong"):
            broken = copy.deepcopy(document)
            owner = broken
            for step in path[:-1]:
                owner = owner[step]
            if change == "without":
                if isinstance(path[-1], int) or path[-1] in optional or "recipe" in path or "variant" in path:
                    continue
                del owner[path[-1]]
            else:
                owner[path[-1]] = [True]
            assert not validator.is_valid(broken), f"{document['schema']} is valid {change} {path}"


def run_commands(kvprof, schemas):
    seen = set()
    with tempfile.TemporaryDirectory() as home:
        folder = pathlib.Path(home)
        (folder / "base").write_text("gpu_us 100\n")
        (folder / "slow").write_text("gpu_us 103\n")
        (folder / "lost").write_text("fail prepare could not measure: no device\n")
        (folder / "claims.toml").write_text('version = 1\nclaims = ["launches B-A = 0", "step_time same within 1%"]\n')
        environment = {"PATH": os.environ["PATH"], "HOME": home, "TMPDIR": home, "LC_ALL": "C.UTF-8"}
        for command in COMMANDS.strip().splitlines():
            words = shlex.split(command)
            result = subprocess.run([kvprof, *words], cwd=home, env=environment, capture_output=True, text=True)
            assert result.returncode not in (2, 70), f"kvprof {command}: {result.stderr}"
            if "jsonl" in words:
                for line in result.stdout.splitlines():
                    schemas.check(f"kvprof {command}", json.loads(line))
            elif "json" in words or "--json" in words:
                seen.add(schemas.check(f"kvprof {command}", json.loads(result.stdout)))
        printed = subprocess.run([kvprof, "schema", "gate"], capture_output=True, text=True, check=True).stdout
        assert json.loads(printed) == schemas.texts["gate"]
    assert REQUIRED <= seen, f"no command printed {REQUIRED - seen}"


def check(folder, golden, kvprof):
    schemas = Schemas(folder / "schemas")
    goldens = {}
    for file in sorted([*pathlib.Path(golden).glob("*.json"), *folder.glob("*.json")]):
        text = file.read_text(encoding="utf-8")
        if '"schema": "kvprof.' in text[:100]:  # other programs' forms are here as well
            goldens[file.name] = json.loads(text)
            schemas.check(file.name, goldens[file.name])
    for file in sorted([*pathlib.Path(golden).glob("*.jsonl"), *folder.glob("*.jsonl")]):
        for line in file.read_text(encoding="utf-8").splitlines():
            schemas.check(file.name, json.loads(line))
    for name in ("ab.json", "gate.json", "traced_run.json", "calibration.json", "selftest.json", "listing.json"):
        check_mutations(schemas, goldens[name])
    run_commands(kvprof, schemas)


documents.in_folder(check, *sys.argv[2:])
