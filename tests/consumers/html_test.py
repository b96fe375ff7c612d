"""Chromium shows the pages that the generator wrote: nothing is fetched, no script complains, every
chart has ink, tables say what the embedded JSON says. Usage: html_test.py REPORT_DOCUMENTS [CHROMIUM]"""
import json
import sys

import documents
from chromium import Page

# Colours on a canvas: one is an empty chart.
INK = """[...document.querySelectorAll("canvas")].map(canvas => {
  const data = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
  const colours = new Set();
  for (let i = 0; i < data.length; i += 4) colours.add(data[i] + "," + data[i + 1] + "," + data[i + 2] + "," + data[i + 3]);
  return { id: canvas.id, colours: colours.size, role: canvas.getAttribute("role"),
           label: canvas.getAttribute("aria-label"), tabindex: canvas.tabIndex,
           rows: canvas.closest("figure").querySelectorAll("tbody tr").length };
})"""
# The bars of the drawn steps.
BARS = """[...document.querySelectorAll("svg.timeline path[class^=k]")].map(bar => ({
  name: bar.querySelector("title").textContent.split(", from ")[0], fill: getComputedStyle(bar).fill,
  left: bar.getBoundingClientRect().left, width: bar.getBoundingClientRect().width }))"""
LANES = """[...document.querySelectorAll("svg.timeline .lane")].map(lane => lane.getBoundingClientRect().left)"""
WIDTHS = "[document.documentElement.scrollWidth, innerWidth]"
# Text whose contrast against the nearest background is under 4.5, by WCAG's formula.
PALE = """(() => {
  const parts = colour => colour.match(/[\\d.]+/g).map(Number);
  const light = ([r, g, b]) => {
    const [x, y, z] = [r, g, b].map(c => c / 255).map(c => c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
    return 0.2126 * x + 0.7152 * y + 0.0722 * z;
  };
  const behind = element => {
    for (; element; element = element.parentElement) {
      const colour = parts(getComputedStyle(element).backgroundColor);
      if (colour.length < 4 || colour[3] > 0) return colour;
    }
    return [255, 255, 255];
  };
  const pale = [];
  for (const element of document.querySelectorAll("body *")) {
    if (!["SCRIPT", "NOSCRIPT"].includes(element.tagName) && [...element.childNodes].some(n => n.nodeType === 3 && n.data.trim())) {
      const [a, b] = [light(parts(getComputedStyle(element).color)), light(behind(element))];
      const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
      if (contrast < 4.5) pale.push(element.tagName + " " + element.className + " " + contrast.toFixed(2));
    }
  }
  return pale;
})()"""
ROWS = """[...document.querySelectorAll("tbody tr")].map(row => [...row.cells].map(cell => cell.textContent))"""
REPORT = """document.getElementById("kvprof-report").textContent"""
# Elements and handlers that only a name could have made.
FOREIGN = """document.querySelectorAll("img, iframe, svg:not(.timeline), form, [onerror], [onload], [onclick], script[src]").length"""


def primary_rows(value):
    """Every object of the JSON that is a judged row which decides the whole."""
    if isinstance(value, dict):
        if value.get("primary") is True and "verdict" in value and "id" in value:
            yield value
        for member in value.values():
            yield from primary_rows(member)
    elif isinstance(value, list):
        for member in value:
            yield from primary_rows(member)


def words_of(row):
    """What a table has to say of a judged row: its verdict, and its change where that is a ratio."""
    words = [row["verdict"]]
    change = row.get("change")
    if change and change["kind"] == "ratio":
        words.append(f"{(change['estimate'] - 1) * 100:+.2f} %")
    return words


def check_loaded(page, file, name):
    assert not page.complaints, f"{name}: {page.complaints}"
    asked = [url for url in page.requests if not url.startswith("data:")]
    assert asked == [f"file://{file}"], f"{name} asked for {[url[:200] for url in asked]}"
    assert page.evaluate(FOREIGN) == 0, f"{name}: a name became an element"
    width, room = page.evaluate(WIDTHS)
    assert width <= room, f"{name}: {width} pixels wide in {room}"


def check_charts(page, name):
    charts = page.evaluate(INK)
    assert charts, f"{name}: no charts"
    for chart in charts:
        assert chart["colours"] > 3, f"{name}: {chart['id']} is blank"
        assert chart["role"] == "img" and chart["tabindex"] == 0 and len(chart["label"]) > 20, chart
        assert chart["rows"] > 0, f"{name}: {chart['id']} has no table"


def check_timeline(page, name):
    bars, lanes = page.evaluate(BARS), page.evaluate(LANES)
    assert len(bars) == 6 and len(lanes) == 2, f"{name}: {len(bars)} bars on {len(lanes)} lanes"
    assert len(set(lanes)) == 1 and [bar["left"] for bar in bars[::3]] == lanes, f"{name}: no common axis"
    colours = {(bar["name"], bar["fill"]) for bar in bars}
    assert len(colours) == 3 == len({fill for _, fill in colours}), f"{name}: {colours}"
    assert all(bar["width"] > 0 for bar in bars), f"{name}: {bars}"


def check_tables(page, name):
    rows = page.evaluate(ROWS)
    judged = list(primary_rows(json.loads(page.evaluate(REPORT))))
    assert judged, f"{name}: no primary rows in the JSON"
    for row in judged:
        said = [cells for cells in rows if any(row["id"] in cell for cell in cells)]
        assert any(
            all(any(word in cell for cell in cells) for word in words_of(row)) for cells in said
        ), f"{name}: no table says {words_of(row)} of {row['id']}: {said[:4]}"


def check_keyboard(page, file):
    page.open(file)
    page.press("Tab", 9)
    assert page.evaluate("document.activeElement.className") == "skip", "the first stop is the skip link"
    page.evaluate("document.querySelector('canvas').focus()")
    page.press("ArrowDown", 40)
    first = page.evaluate("document.querySelector('[role=status]').textContent")
    page.press("ArrowDown", 40)
    second = page.evaluate("document.querySelector('[role=status]').textContent")
    assert first and second and first != second, f"arrow keys say {first!r}, then {second!r}"


def check_scheme(page, file):
    """A page that is open follows the reader's preference."""
    page.look(1280, "light")
    page.open(file)
    script = "document.querySelector('canvas').toDataURL()"
    light = page.evaluate(script)
    page.look(1280, "dark")
    page.settle()
    dark = page.evaluate(script)
    assert light != dark, "charts keep the colours of the light page"
    page.look(1280, "light")


def check_without_scripts(page, file, name):
    page.open(file, has_scripts=False)
    heights = "[...document.querySelectorAll('%s')].map(e => e.getBoundingClientRect().height)"
    assert not any(page.evaluate(heights % ".plot")), f"{name}: empty boxes for charts"
    assert all(page.evaluate(heights % "figure.chart table")), f"{name}: figures without their table"
    assert all(page.evaluate(heights % "noscript")), f"{name}: nothing says why there are no charts"


def check_paper(page, file, name):
    page.open(file)
    was = page.evaluate("document.querySelectorAll('details[open]').length")
    printed = page.call("Page.printToPDF")["data"]
    assert len(printed) > 20000, f"{name}: an empty print"
    assert page.evaluate("document.querySelectorAll('details[open]').length") == was, f"{name}: stays as on paper"


def check_page(page, file):
    name = file.name
    assert file.stat().st_size < 1_000_000, f"{name}: {file.stat().st_size} bytes"
    for width, scheme in ((1280, "light"), (1280, "dark"), (400, "light"), (400, "dark")):
        page.look(width, scheme)
        page.open(file)
        check_loaded(page, file, f"{name}, {width}, {scheme}")
        check_charts(page, f"{name}, {width}, {scheme}")
        if file.stem in ("hostile", "lone"):
            check_timeline(page, f"{name}, {width}, {scheme}")
        pale = page.evaluate(PALE)
        assert not pale, f"{name}, {scheme}: {pale[:5]}"
    if file.stem in ("gate", "lone"):
        check_tables(page, name)
    check_without_scripts(page, file, name)
    check_paper(page, file, name)


def check(folder):
    files = sorted(folder.glob("*.html"))
    assert [file.stem for file in files] == ["experiment", "gate", "hostile", "lone", "run"], files
    with Page(*sys.argv[2:3]) as page:
        for file in files:
            check_page(page, file)
        check_keyboard(page, folder / "gate.html")
        check_scheme(page, folder / "gate.html")


documents.in_folder(check)
