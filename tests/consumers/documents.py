"""Documents that the generator report_documents wrote, for the tests beside this file."""
import pathlib
import subprocess
import sys
import tempfile


def in_folder(check, *arguments):
    """Lets the generator (first argument of the script) fill a folder and calls check(folder, ...)."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.argv[1], folder], check=True)
        check(pathlib.Path(folder), *arguments)


def read(folder, ending):
    """(name, text) of each document whose name ends so; line ends as they are."""
    files = sorted(folder.glob("*." + ending))
    assert files, f"the generator wrote no .{ending}"
    for file in files:
        with open(file, newline="", encoding="utf-8") as text:
            yield file.name, text.read()
