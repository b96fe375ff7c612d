"""bash, zsh and fish complete words of kvprof by the scripts that it prints.

Usage: completion_test.py KVPROF

bash and zsh are typed to on a terminal of their own, as a person does: a key inserts every match,
and the words that the line then has are printed to a file. fish tells its matches by itself.
"""
import os
import pathlib
import pty
import select
import signal
import subprocess
import sys
import tempfile
import time
import unittest

KVPROF = ""
PLAYED = ("--executor scripted --preset tiny-mla --batch 2 --max-batch 4 --seq-len 64"
          " --max-context 256 --samples 3 --replays 1 --passes timing").split()
HARMLESS = "$(touch hurt)"

# (what is typed, words that are offered in its place, words that are not). With None the words are
# all that is offered.
CASES = (
    ("kvprof ru", ["run"], None),
    ("kvprof ", ["run", "diff", "gate", "doctor", "completion"], ["_measure", "_complete"]),
    ("kvprof --ver", ["--version"], None),
    ("kvprof run --index-mode ", ["auto", "both", "rectangle", "stream", "table"], None),
    ("kvprof run --index-mode rec", ["rectangle"], None),
    ("kvprof run --index-mode=rec", ["--index-mode=rectangle"], None),
    ("kvprof run --executor ", ["auto", "cuda", "host"], None),
    ("kvprof run --preset tiny-m", ["tiny-mla"], None),
    ("kvprof run --op token-", ["token-stream"], None),
    ("kvprof run --single", ["--single-process"], None),
    ("kvprof ls --li", ["--limit"], None),
    ("kvprof run --vary index-m", ["index-mode="], None),
    ("kvprof run --vary index-mode=rectangle,s", ["index-mode=rectangle,stream"], None),
    ("kvprof run --ab index-mode=rectangle,pool-", ["index-mode=rectangle,pool-tokens="], None),
    ("kvprof run --ab pool=static pool=un", ["pool=unified"], None),
    ("kvprof run --passes timing+no", ["timing+nodes"], None),
    ("kvprof run --policy pol", ["policy.toml"], None),
    ("kvprof diff --treatment confid", ["confidential-compute"], None),
    ("kvprof diff --treatment driver bef", ["before"], None),
    ("kvprof show @", ["@latest", "@latest~1"], None),
    ("kvprof show bef", ["before"], None),
    ("kvprof show two", ["two words"], None),
    ("kvprof show ", ["@latest", "two words", HARMLESS], ["hurt", "other.db"]),
    ("kvprof show before/index-mode=s", ["before/index-mode=stream"], None),
    ("kvprof show poli", ["policy.toml"], None),
    ("kvprof show --db nowhere.db bef", [], None),
    ("kvprof show --db other.db el", ["elsewhere"], None),
    ("kvprof tag -", ["--delete", "--db", "--json"], ["--batch"]),
    ("kvprof gate --baseline ", ["main"], None),
    ("kvprof diff baseline/m", ["baseline/main"], None),
    ("kvprof baseline ", ["set", "ls", "rm"], None),
    ("kvprof baseline set main bef", ["before"], None),
    ("kvprof help ex", ["exit-codes", "export"], None),
    ("kvprof completion ", ["bash", "zsh", "fish"], None),
)


class Terminal:
    """A shell that is typed to."""

    def __init__(self, arguments, folder, environment, setup):
        self.folder = folder
        self.pid, self.file = pty.fork()
        if self.pid == 0:
            os.chdir(folder)
            os.execvpe(arguments[0], arguments, environment)
        self.count = 0
        self.seen = b""
        self.type(setup + "\n")

    def type(self, keys):
        os.write(self.file, keys.encode())

    def wait_for(self, text):
        """Reads until the shell says it; a minute is far more than it takes."""
        end = time.monotonic() + 60
        while text not in self.seen:
            if not select.select([self.file], [], [], max(0, end - time.monotonic()))[0]:
                raise AssertionError(f"the shell did not say {text!r}: {self.seen[-2000:]!r}")
            self.seen += os.read(self.file, 65536)

    def words_after(self, typed, key):
        """The words of the line after the key. Erases what is left of it."""
        self.count += 1
        (self.folder / "words").unlink(missing_ok=True)
        self.type(typed + key + "\x05 end\x01printf '%s\\n' \x05 > words; echo done-$((" + str(self.count) + "+1000))\n")
        self.wait_for(f"done-{self.count + 1000}".encode())
        words = (self.folder / "words").read_text().split("\n")
        assert words[-2:] == ["end", ""], (typed, words)
        return words[:-2]

    def close(self):
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)
        os.close(self.file)


class Completion(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        holder = tempfile.TemporaryDirectory(prefix="kvprof-completion-")
        cls.addClassCleanup(holder.cleanup)
        cls.root = pathlib.Path(holder.name)
        cls.folder = cls.root / "work"
        for name in ("work", "bin", "home", "fpath"):
            (cls.root / name).mkdir()
        (cls.root / "bin" / "kvprof").symlink_to(pathlib.Path(KVPROF).resolve())
        cls.environment = {
            "PATH": f"{cls.root / 'bin'}:{os.environ['PATH']}", "HOME": str(cls.root / "home"), "TERM": "xterm",
            "KVPROF_DB": str(cls.folder / "a.db"), "LC_ALL": "C.UTF-8",
            "LD_LIBRARY_PATH": os.environ.get("LD_LIBRARY_PATH", "")}
        (cls.folder / "policy.toml").touch()
        (cls.folder / "script").write_text("gpu_us 100\n")
        for label in (HARMLESS, "two words", "before"):
            cls.kvprof("run", *PLAYED, "--script", "script", "-q", "--label", label)
        cls.kvprof("run", *PLAYED, "--script", "script", "-q", "--label", "elsewhere", "--db", "other.db")
        cls.kvprof("baseline", "set", "main", "before", "--reason", "a test")
        cls.before = cls.files()

    @classmethod
    def kvprof(cls, *words):
        return subprocess.run(["kvprof", *words], cwd=cls.folder, env=cls.environment, check=True,
                              capture_output=True, text=True, stdin=subprocess.DEVNULL).stdout

    @classmethod
    def files(cls):
        return sorted(path.name for path in cls.folder.iterdir() if path.name != "words" and path.suffix not in (".db-shm", ".db-wal"))

    def check(self, offered_after):
        """Tries all cases; leaves the working folder as it was."""
        for typed, wanted, unwanted in CASES:
            with self.subTest(typed=typed):
                offered = offered_after(typed)
                if unwanted is None:
                    self.assertEqual(sorted(offered), sorted(wanted))
                else:
                    self.assertLessEqual(set(wanted), set(offered))
                    self.assertFalse(set(unwanted) & set(offered))
        self.assertEqual(self.files(), self.before)

    def check_typed(self, terminal, key):
        self.addCleanup(terminal.close)

        def offered_after(typed):
            front, _, begun = typed.rpartition(" ")
            words = terminal.words_after(typed, key)
            count = len(front.split(" "))
            self.assertEqual(words[:count], front.split(" "))
            # A key that found nothing leaves the word as it was.
            return [] if words[count:] == [begun] else words[count:]

        self.check(offered_after)

    def test_bash(self):
        (self.root / "home" / "script").write_text(self.kvprof("completion", "bash"))
        # Escape and * insert all matches.
        self.check_typed(
            Terminal(["bash", "--norc", "--noprofile", "-i"], self.folder, self.environment,
                     "PS1=; bind 'set enable-bracketed-paste off'; source ~/script"),
            "\x1b*")

    def test_zsh(self):
        (self.root / "fpath" / "_kvprof").write_text(self.kvprof("completion", "zsh"))
        self.check_typed(
            Terminal(["zsh", "-f", "-i"], self.folder, self.environment,
                     f"PS1=; unset zle_bracketed_paste; fpath=({self.root / 'fpath'} $fpath);"
                     " autoload -Uz compinit; compinit -u -D; bindkey -e;"
                     " every() { _main_complete; compstate[insert]=all; }; zle -C every complete-word every;"
                     " bindkey '^T' every"),
            "\x14")

    def test_fish(self):
        place = self.root / "home" / ".config" / "fish" / "completions"
        place.mkdir(parents=True)
        (place / "kvprof.fish").write_text(self.kvprof("completion", "fish"))

        def offered_after(typed):
            result = subprocess.run(
                ["fish", "-c", "complete -C $argv[1]", "--", typed], cwd=self.folder, env=self.environment,
                capture_output=True, text=True, stdin=subprocess.DEVNULL, check=True)
            self.assertEqual(result.stderr, "")
            return [line.split("\t")[0] for line in result.stdout.splitlines()]

        self.check(offered_after)


if __name__ == "__main__":
    KVPROF = sys.argv.pop(1)
    unittest.main()
