"""mandoc finds nothing to warn of in any manual page, and shows every option.

Usage: man_test.py KVPROF
"""
import re
import subprocess
import sys
import unittest

KVPROF = ""


def output_of(*words):
    return subprocess.run(words, capture_output=True, text=True, check=True).stdout


def verbs():
    """[] for the program, then each verb."""
    listed = re.search(r"\nVerbs:\n((?:  .*\n)+)", output_of(KVPROF, "--help"))[1]
    return [[]] + [[line.split()[0]] for line in listed.splitlines()]


class ManPages(unittest.TestCase):
    def test_mandoc_warns_of_nothing(self):
        for verb in verbs():
            with self.subTest(verb=verb):
                page = output_of(KVPROF, "man", *verb)
                result = subprocess.run(
                    ["mandoc", "-T", "lint", "-W", "warning"], input=page, capture_output=True, text=True)
                self.assertEqual((result.stdout + result.stderr, result.returncode), ("", 0))

    def test_mandoc_shows_every_option_and_example(self):
        for verb in verbs():
            with self.subTest(verb=verb):
                page = output_of(KVPROF, "man", *verb)
                shown = subprocess.run(
                    ["mandoc", "-T", "utf8", "-O", "width=500"], input=page, capture_output=True, text=True,
                    check=True).stdout
                shown = re.sub(".\b", "", shown)  # bold and underlined letters are printed over
                usage = output_of(KVPROF, "help", *verb)
                for option in re.findall(r"^  (?:-\w,)?(--[a-z0-9-]+)", usage, re.MULTILINE):
                    self.assertRegex(shown, rf"(?m)^ +(-\w, )?{option}\b")
                for example in re.search(r"Examples:\n((?:  .*\n)+)", usage)[1].splitlines():
                    self.assertIn(example.strip() + "\n", shown)


if __name__ == "__main__":
    KVPROF = sys.argv.pop(1)
    unittest.main()
