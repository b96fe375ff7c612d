"""xmllint takes JUnit XML as well-formed and valid by tests/data/junit.xsd, and its counts add up.
Usage: junit_test.py REPORT_DOCUMENTS JUNIT_XSD"""
import subprocess
import sys
import xml.etree.ElementTree as ET

import documents


def check_counts(name, suite):
    for attribute, element in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
        found = len(suite.findall(f"testcase/{element}"))
        assert int(suite.get(attribute)) == found, f"{name}: {attribute} says another number than {found}"
    assert int(suite.get("tests")) == len(suite.findall("testcase")), f"{name}: tests"
    seconds = sum(float(test.get("time")) for test in suite.findall("testcase"))
    assert abs(seconds - float(suite.get("time"))) < 0.01, f"{name}: times do not add up to the suite's"


def check(folder, schema):
    for name, text in documents.read(folder, "junit"):
        result = subprocess.run(
            ["xmllint", "--noout", "--schema", schema, str(folder / name)], capture_output=True, text=True
        )
        assert result.returncode == 0, f"{name}: {result.stderr[:2000]}"
        root = ET.fromstring(text)
        for suite in root.findall("testsuite"):
            check_counts(name, suite)
        for attribute in ("tests", "failures", "errors", "skipped"):
            total = sum(int(suite.get(attribute)) for suite in root.findall("testsuite"))
            assert int(root.get(attribute)) == total, f"{name}: {attribute} of all suites"
    failures = ET.parse(folder / "gate.junit").getroot().findall("testsuite/testcase/failure")
    assert [failure.get("message") for failure in failures] == ["+1.49% [+1.41, +1.57] > 1%"]


documents.in_folder(check, sys.argv[2])
