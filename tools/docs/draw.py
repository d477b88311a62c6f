#!/usr/bin/env python3
"""Draws the pictures of README.md and docs/ as SVG, from the report of the command about a sample or a case.

usage: tools/docs/draw.py VARYLINK            writes docs/*.svg
       tools/docs/draw.py VARYLINK --check    exit status 1, and a line for each, if a picture is not what would be written now

Two kinds of pictures: `slots` has the locations and components of an interface before and after; `values` has the value graph,
each value in the stage that computes it, and red what crosses.
"""
import html
import json
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tests/prove"))
from cases import write_case  # noqa: E402

# Picture, kind, what is linked.
PICTURES = (
    ("interface", "slots", "samples/shaders/quick.*"),
    ("packing", "slots", "tests/pipelines/packing/convergent_fills_holes.case"),
    ("value-graph", "values", "docs/walkthrough.*.spvasm"),
    ("minimum-cut", "values", "tests/pipelines/motion/three_inputs_two_sums.case"),
)
FILL = {"kept": "#cfe2f3", "moved": "#f9e4b7", "dead": "#e6e6e6", "constant": "#d5e8d4", "uniform": "#d5e8d4",
        "duplicate": "#e1d5e7"}
CELL, ROW = 118, 34


def report_of(varylink, source, folder):
    options = []
    if source.endswith(".case"):
        text = (ROOT / source).read_text(encoding="utf-8")
        stages = write_case(text, "case", folder)["stages"].values()
        options = re.search(r"^;; link: (.*)$", text, re.M)[1].split()
    else:
        stages = sorted((ROOT / source).parent.glob(pathlib.Path(source).name))
    report = folder / "report.json"
    subprocess.run([varylink, "link", "-q", *options, *stages, "--report", report, "--dot", folder / "values.dot"], check=True)
    return json.loads(report.read_text(encoding="utf-8"))["pipelines"][0]


class Drawing:
    def __init__(self):
        self.parts, self.width, self.height = [], 0, 0

    def grow(self, x, y):
        self.width, self.height = max(self.width, x), max(self.height, y)

    def text(self, x, y, text, size=12, anchor="middle", colour="#222"):
        self.parts.append(f'<text x="{x:g}" y="{y:g}" font-size="{size}" text-anchor="{anchor}" fill="{colour}">{html.escape(text)}</text>')

    def box(self, x, y, width, height, fill, stroke="#888", radius=3):
        self.parts.append(f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="{radius}" fill="{fill}" stroke="{stroke}"/>')
        self.grow(x + width, y + height)

    def curve(self, x1, y1, x2, y2, colour="#777", width=1.2):
        middle = (x1 + x2) / 2
        self.parts.append(f'<path d="M{x1:g},{y1:g} C{middle:g},{y1:g} {middle:g},{y2:g} {x2:g},{y2:g}" fill="none" '
                          f'stroke="{colour}" stroke-width="{width}"/>')

    def svg(self):
        width, height = self.width + 12, self.height + 12
        head = (f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}" height="{height:g}" viewBox="0 0 {width:g} {height:g}" '
                'font-family="Helvetica, Arial, sans-serif">')
        return "\n".join([head, f'<rect width="{width:g}" height="{height:g}" fill="#fff"/>', *self.parts, "</svg>"]) + "\n"


def lines_of(name, most):
    """At most two lines."""
    if len(name) <= most:
        return [name]
    first = name[:most + 1].rpartition(" ")[0] or name[:most]
    rest = name[len(first):].strip()
    return [first, rest if len(rest) <= most else rest[:most - 1] + "…"]


def counted(number, word):
    return f"{number} {word}{'s' * (number != 1)}"


def grid(drawing, left, title, cells, locations):
    """One side: `cells` by (location, component): (text, fill)."""
    drawing.text(left + 2 * CELL + 22, 20, title, 14)
    for component in range(4):
        drawing.text(left + 22 + component * CELL + CELL / 2, 40, "xyzw"[component], 11, colour="#666")
    for location in range(locations):
        y = 48 + location * ROW
        drawing.text(left + 16, y + 21, str(location), 11, "end", "#666")
        for component in range(4):
            text, fill = cells.get((location, component), ("", "#fff"))
            drawing.box(left + 22 + component * CELL, y, CELL - 4, ROW - 4, fill, "#888" if text else "#ddd")
            lines = lines_of(text, 19)
            for number, line in enumerate(lines):
                drawing.text(left + 22 + component * CELL + CELL / 2 - 2, y + 26 - 6 * len(lines) + 12 * number, line, 11)


def place(slot):
    location, component = slot.split(".")
    return int(location), "xyzw".index(component)


def slots(report):
    interface = report["interfaces"][0]
    names = {each["slot"]: each["name"] for graph in report["value_graphs"] for each in graph["after"]}
    before, after = {}, {}
    for each in interface["components"]:
        name = each["producer_name"] if each["interpolation"] != "flat" else each["producer_name"] + " (flat)"
        before[place(each["old"])] = (name, FILL[each["fate"]])
        if each["new"] and each["fate"] in ("kept", "moved"):
            name = each["producer_name"] if each["fate"] == "kept" else names.get(each["new"], "")
            if "sent flat" in each["reason"] or (each["fate"] == "kept" and each["interpolation"] == "flat"):
                name += " (flat)"
            after[place(each["new"])] = (name, FILL[each["fate"]])
    drawing = Drawing()
    rows = interface["before"]["highest_location"]
    right = 4 * CELL + 90
    for left, title, cells, size in ((0, "before", before, interface["before"]), (right, "after", after, interface["after"])):
        grid(drawing, left, f"{title}: {counted(size['components'], 'component')}, {counted(size['locations'], 'location')}", cells, size["highest_location"])
    y = 48 + rows * ROW / 2
    drawing.text(right - 24, y + 6, "→", 28)
    used = [fate for fate in FILL if any(each["fate"] == fate for each in interface["components"])]
    for number, fate in enumerate(used):
        x = 22 + number * 110
        drawing.box(x, 60 + rows * ROW, 14, 14, FILL[fate])
        drawing.text(x + 22, 72 + rows * ROW, fate, 12, "start")
    return drawing.svg()


def layers_of(values):
    depth = []
    for value in values:
        depth.append(1 + max((depth[operand] for operand in value["operands"]), default=-1))
    return depth


def values(report):
    """Two pictures on top of each other: which stage computes each value, before and after."""
    graph, drawing, top = report["value_graphs"][0], Drawing(), 0
    for when in ("before", "after"):
        top = stage_picture(drawing, graph, when, top) + 26
    return drawing.svg()


def stage_picture(drawing, graph, when, top):
    values, crossing = graph["values"], {each["value"] for each in graph[when] if each.get("value") is not None}
    # A constant stands in the operation that takes it, unless it crosses.
    shown = [number for number, value in enumerate(values)
             if value[when] and (value["kind"] != "constant" or number in crossing)]
    here = set(shown)
    depth = layers_of([{"operands": [o for o in value["operands"] if o in here]} for value in values])
    producer = [n for n in shown if graph["producer"] in values[n][when]]
    consumer = [n for n in shown if n not in producer]
    columns, place_of = {}, {}
    # Inside of a stage a value stands one column behind its operands; the consumer's begin behind the cut.
    first = 1 + max((depth[n] for n in producer), default=0)
    own = {}
    for n in consumer:
        own[n] = 1 + max((own[o] for o in values[n]["operands"] if o in own), default=-1)
    for n in shown:
        columns.setdefault(own[n] + first + 1 if n in own else depth[n], []).append(n)
    last = max(columns)
    rows = max(len(column) for column in columns.values())
    width, step, height = 92, 150, 40
    y_of = {}
    for column in sorted(columns):
        ordered = sorted(columns[column], key=lambda n: (sum(y_of[o] for o in values[n]["operands"] if o in y_of) /
                                                         max(1, sum(o in y_of for o in values[n]["operands"])), n))
        for row, n in enumerate(ordered):
            y = top + 52 + (row + (rows - len(ordered)) / 2) * height
            y_of[n], place_of[n] = y, (20 + column * step, y)
    cut = 20 + first * step + width / 2
    uses = [(n, use) for n in shown for use in values[n]["uses"]]
    right = 20 + (max(last, first) + 1) * step
    drawing.text(20, top + 24, f"{when}: {counted(len(graph[when]), 'component')}", 14, "start")
    drawing.text(cut - 30, top + 24, "vertex stage", 12, "end", "#666")
    drawing.text(cut + 30, top + 24, "fragment stage", 12, "start", "#666")
    bottom = top + 52 + rows * height
    drawing.parts.append(f'<line x1="{cut:g}" y1="{top + 10}" x2="{cut:g}" y2="{bottom:g}" stroke="#c00" stroke-dasharray="6 4"/>')
    for n in shown:
        for operand in values[n]["operands"]:
            if operand in place_of:
                (x1, y1), (x2, y2) = place_of[operand], place_of[n]
                red = operand in crossing and x1 < cut < x2
                drawing.curve(x1 + width, y1, x2, y2, "#c00" if red else "#777", 2 if red else 1.2)
    for n, use in uses:
        x, y = place_of[n]
        red = n in crossing and x < cut
        drawing.curve(x + width, y, right, y, "#c00" if red else "#777", 2 if red else 1.2)
        drawing.box(right, y - 13, 118, 26, "#fff", "#fff")
        drawing.text(right + 6, y + 4, "→ " + use, 12, "start")
    read = {o for n in consumer for o in values[n]["operands"]} | {n for n, _ in uses}
    for n in sorted(crossing - read):  # sent, and not read
        x, y = place_of[n]
        drawing.curve(x + width, y, cut, y, "#c00", 2)
        drawing.text(cut + 6, y + 4, "not read", 11, "start", "#c00")
    for n in shown:
        x, y = place_of[n]
        fill = "#d5e8d4" if values[n]["kind"] == "constant" else "#cfe2f3" if values[n]["kind"] == "read" else "#fff"
        drawing.box(x, y - 13, width, 26, fill, "#c00" if n in crossing else "#888", 12)
        label = " ".join([values[n]["label"], *(values[o]["label"] for o in values[n]["operands"] if o not in place_of)])
        drawing.text(x + width / 2, y + 4, lines_of(label, 13)[0])
    drawing.grow(right + 118, bottom)
    return bottom


def main():
    varylink, stale = sys.argv[1], []
    for name, kind, source in PICTURES:
        with tempfile.TemporaryDirectory() as folder:
            text = {"slots": slots, "values": values}[kind](report_of(varylink, source, pathlib.Path(folder)))
        path = ROOT / f"docs/{name}.svg"
        if "--check" not in sys.argv:
            path.write_text(text, encoding="utf-8")
        elif not path.exists() or path.read_text(encoding="utf-8") != text:
            stale.append(name)
            print(f"docs/{name}.svg is not what {source} gives now: run tools/docs/draw.py")
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
