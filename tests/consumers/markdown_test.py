"""cmark-gfm shows of Markdown what the document holds: every cell, item and title, word for word, and
no element that kvprof did not write. Usage: markdown_test.py REPORT_DOCUMENTS"""
import html.parser
import json
import subprocess

import documents

EXTENSIONS = ("table", "strikethrough", "autolink", "tagfilter")
WRITTEN = set("h3 p strong table thead tbody tr th td ul li details summary code".split())
GITHUB_BODY = 65_536


def plain(text):
    """Words as a browser shows them: blanks in a row are one."""
    return " ".join(text.split())


class Page(html.parser.HTMLParser):
    """Tables as rows of (words, whether they are code), items, summaries, titles, comments."""

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.open, self.found = [], {name: [] for name in ("h3", "li", "summary", "p")}
        self.tables, self.comments = [], []
        self.words = ""

    def handle_starttag(self, tag, attributes):
        assert tag in WRITTEN, f"<{tag}> is none of kvprof's elements"
        self.open.append(tag)
        if tag == "table":
            self.tables.append([])
        elif tag == "tr":
            self.tables[-1].append([])
        elif tag == "td":
            self.tables[-1][-1].append(["", False])
        elif tag == "code" and "td" in self.open:
            self.tables[-1][-1][-1][1] = True
        if tag in self.found:
            self.found[tag].append("")

    def handle_endtag(self, tag):
        assert self.open and self.open.pop() == tag, f"</{tag}> closes another element"

    def handle_data(self, data):
        if "td" in self.open:
            self.tables[-1][-1][-1][0] += data
        for tag in self.found:
            if tag in self.open:
                self.found[tag][-1] += data

    def handle_comment(self, data):
        self.comments.append(data)


def page_of(text):
    command = ["cmark-gfm", "--unsafe"] + [word for name in EXTENSIONS for word in ("-e", name)]
    result = subprocess.run(command, input=text, capture_output=True, text=True, check=True)
    page = Page()
    page.feed(result.stdout)
    page.close()
    assert not page.open, f"{page.open} are left open"
    return page


def check_words(name, page, words):
    assert [plain(title) for title in page.found["h3"]] == [plain(words["title"])], f"{name}: title"
    summaries = [plain(each).casefold() for each in page.found["summary"]]
    assert summaries == [plain(each).casefold() for each in words["summaries"]], f"{name}: summaries"
    items = [plain(each) for each in page.found["li"]]
    assert items == [plain(each) for each in words["items"]], f"{name}: items"
    paragraphs = [plain(each).casefold().rstrip(".") for each in page.found["p"]]
    for each in words["paragraphs"]:
        assert plain(each).casefold().rstrip(".") in paragraphs, f"{name}: {each}"
    assert len(page.tables) == len(words["tables"]), f"{name}: tables"
    for at, (shown, held) in enumerate(zip(page.tables, words["tables"])):
        rows = [row for row in shown if row]  # the titles are no cells
        assert len(rows) == len(held), f"{name}: rows of table {at}"
        for row, cells in zip(rows, held):
            assert [(plain(cell), is_code) for cell, is_code in row] == [
                (plain(cell), is_code and cell != "") for cell, is_code in cells
            ], f"{name}: a row of table {at}"


def check(folder):
    for name, text in documents.read(folder, "words.json"):
        words = json.loads(text)
        subject = name.split(".")[0]
        whole = (folder / f"{subject}.md").read_text(encoding="utf-8")
        page = page_of(whole)
        check_words(subject, page, words)
        marks = [comment.strip() for comment in page.comments if comment.strip()]
        assert marks == ["kvprof-begin", "kvprof-report " + words["recipe"]], f"{subject}: marks"
        body = (folder / f"{subject}.body.md").read_text(encoding="utf-8")
        assert len(body) <= GITHUB_BODY, f"{subject}: {len(body)} characters"
        short = page_of(body)
        assert [plain(mark) for mark in short.comments][0] == "kvprof-begin" or len(whole) > GITHUB_BODY
        assert body == whole or "kvprof report --format html" in body, f"{subject}: says what is missing"


documents.in_folder(check)
