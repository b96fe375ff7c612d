"""Fails on a file over 400 lines, a function over 60, or a reminder word. Usage: check_caps.py [ROOT]

Functions are found by their braces: good enough for code that clang-format has laid out.
"""
import re
import sys

from sources import CPP_SUFFIXES, report, root_argument, source_files

MAX_FILE_LINES = 400
MAX_FUNCTION_LINES = 60
# Joined here so that this file passes its own check.
REMINDER = re.compile(r"\b(" + "|".join(["TO" + "DO", "FIX" + "ME", "X" + "XX"]) + r")\b")
TEXT_SUFFIXES = CPP_SUFFIXES + (".py", ".cmake", ".txt", ".sh", ".sql", ".toml", ".in")
CODE_SUFFIXES = CPP_SUFFIXES + (".py", ".cmake", ".sh")

NOISE = re.compile(
    r"""//[^\n]* | /\*.*?\*/                      # comments
      | R"(?P<mark>[^()\\\s]*)\(.*?\)(?P=mark)"   # raw strings
      | "(?:\\.|[^"\\\n])*"                       # strings
      | (?<![0-9A-Fa-f])'(?:\\.|[^'\\\n])+'       # characters, but not 1'000
      | ^[ \t]*\#(?:\\\n|[^\n])*                  # preprocessor
    """,
    re.VERBOSE | re.DOTALL | re.MULTILINE,
)
CONTAINER = re.compile(r'\b(namespace|class|struct|union|enum)\b[^()=]*$|\bextern\s*""\s*$')


def blank(match):
    """Keeps the line breaks, so that positions still give line numbers."""
    quotes = '""' if match[0].startswith('"') else " "
    return quotes + "\n" * match[0].count("\n")


def functions(text):
    """Yields (first line, last line, head) of every function body."""
    code = NOISE.sub(blank, text)
    line, head, open_braces = 1, "", []  # open_braces: (is container, is function, line, head)
    inside = 0  # depth of braces that are not containers
    for position, char in enumerate(code):
        line += char == "\n"
        if char == "{":
            container = not inside and bool(CONTAINER.search(head))
            open_braces.append((container, not inside and "(" in head, line, head))
            inside += not container
            head = "" if container else head
        elif char == "}" and open_braces:
            container, function, first, own_head = open_braces.pop()
            inside -= not container
            following = code[position + 1 :].lstrip()[:1]
            if not container and not inside:
                # `Foo() : a_{1}, b_{2} {`: these braces initialise a member, the body comes later.
                if following in (",", "{") and "(" in own_head:
                    continue
                if function:
                    yield first, line, " ".join(own_head.split())
            head = "" if not inside else head
        elif not inside:
            head = "" if char == ";" else head + char


def check_file(rel, text):
    lines = text.count("\n")
    if rel.endswith(CODE_SUFFIXES) and lines > MAX_FILE_LINES:
        yield f"{rel}:{lines}: {lines} lines, the cap is {MAX_FILE_LINES}"
    if rel.endswith(CPP_SUFFIXES):
        for first, last, head in functions(text):
            if last - first > MAX_FUNCTION_LINES:
                yield f"{rel}:{first}: {last - first} lines, the cap is {MAX_FUNCTION_LINES}: {head[-80:]}"
    for number, line in enumerate(text.splitlines(), 1):
        if word := REMINDER.search(line):
            yield f"{rel}:{number}: {word[0]}: finish it, or open an issue"


def main(root):
    problems = []
    for path, rel in source_files(root, TEXT_SUFFIXES):
        problems += check_file(rel, path.read_text())
    return report(problems)


if __name__ == "__main__":
    sys.exit(main(root_argument()))
