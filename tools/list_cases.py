#!/usr/bin/env python3
"""Keeps the lists in tests/pipelines/README.md: the cases of each folder, and the table of what they cover.

usage: list_cases.py [--write] [ROOT]     without --write: exit status 1 and a word for each thing that is not up to date

A section "## folder" of the README has one sentence about the folder, then the list, whose rows are made here from the
first comment of each case. The table under "## What is covered" is made of the ";; covers:" directives:

    ;; covers: vert->tesc, dynamic arrays, trim-arrays            a pass acts on a kind of interface
    ;; covers: vert->tesc, dynamic arrays, trim-arrays, must-not  it must leave it as it is
"""
import pathlib
import re
import sys

PAIRS = ["vert->frag", "vert->tesc", "tesc->tese", "vert->geom", "tese->geom", "tese->frag", "geom->frag",
         "task->mesh", "mesh->frag", "whole pipeline"]
KINDS = ["vectors", "integers", "64-bit", "16-bit", "matrices", "arrays", "dynamic arrays", "structs", "blocks",
         "interpolation", "patch", "per-primitive", "payload", "built-ins", "captured", "uniforms"]
LIST_HEAD = ["| case | what must hold |", "|---|---|"]
TABLE_HEAD = ["| stages | interface | pass | acts | leaves alone |", "|---|---|---|---|---|"]
TABLE_TITLE = "## What is covered"


class Case:
    def __init__(self, path):
        self.folder, self.name = path.parent.name, path.stem
        head = path.read_text(encoding="utf-8").split("\n==", 1)[0].splitlines()
        comments = [line[2:].strip() for line in head if line.startswith(";;")]
        self.about = " ".join(line for line in comments if not re.match(r"[a-z]+:", line))
        self.covers = [[word.strip() for word in line.split(":", 1)[1].split(",")]
                       for line in comments if line.startswith("covers:")]
        self.link = f"[{self.name}]({self.folder}/{self.name}.case)"


def passes_of(root):
    return re.findall(r'\.name = "([\w-]+)"', (root / "src/passes/registry.cpp").read_text(encoding="utf-8"))


def unknown_words(case, passes):
    """What a covers directive says that no list knows."""
    for words in case.covers:
        pair, kind, name = (words + ["", "", ""])[:3]
        yield from (word for word, known in ((pair, PAIRS), (kind, KINDS), (name, passes)) if word not in known)
        yield from (word for word in words[3:] if word != "must-not")


def coverage_table(cases, passes):
    cells = {}
    for case in cases:
        for pair, kind, name, *rest in case.covers:
            key = (PAIRS.index(pair), KINDS.index(kind), passes.index(name))
            cells.setdefault(key, ([], []))[bool(rest)].append(case.link)
    rows = [f"| {PAIRS[pair]} | {KINDS[kind]} | {passes[name]} | {', '.join(acts) or '-'} | {', '.join(stays) or '-'} |"
            for (pair, kind, name), (acts, stays) in sorted(cells.items())]
    return TABLE_HEAD + rows


def replace_table(lines, start, table):
    """`lines` with the table behind `start`, up to the next heading, replaced; it is added if there is none."""
    end = next((i for i in range(start + 1, len(lines)) if lines[i].startswith("#")), len(lines))
    first = next((i for i in range(start + 1, end) if lines[i].startswith("|")), None)
    if first is None:
        return [*lines[:end], *table, "", *lines[end:]]
    last = first
    while last < end and lines[last].startswith("|"):
        last += 1
    return [*lines[:first], *table, *lines[last:]]


def updated(root, problems):
    readme = root / "tests/pipelines/README.md"
    lines = readme.read_text(encoding="utf-8").splitlines()
    passes = passes_of(root)
    cases = [Case(path) for path in sorted((root / "tests/pipelines").glob("*/*.case"))]
    for case in cases:
        problems += [f"{case.folder}/{case.name}: covers '{word}'" for word in unknown_words(case, passes)]
        if not case.about:
            problems.append(f"{case.folder}/{case.name}: does not say what must hold")
    if problems:
        return lines
    for folder in dict.fromkeys(case.folder for case in cases):
        if f"## {folder}" not in lines:
            problems.append(f"README.md has no section '## {folder}'")
            continue
        rows = [f"| {case.link} | {case.about} |" for case in cases if case.folder == folder]
        lines = replace_table(lines, lines.index(f"## {folder}"), LIST_HEAD + rows)
    if TABLE_TITLE in lines:
        lines = replace_table(lines, lines.index(TABLE_TITLE), coverage_table(cases, passes))
    linked = re.findall(r"\]\(([\w/]+\.case)\)", "\n".join(lines))
    problems += sorted({f"README.md names {name}, which is not there" for name in linked
                        if not (readme.parent / name).exists()})
    return lines


def main():
    arguments = [a for a in sys.argv[1:] if a != "--write"]
    root = pathlib.Path(arguments[0]) if arguments else pathlib.Path(__file__).resolve().parent.parent
    readme = root / "tests/pipelines/README.md"
    problems = []
    text = "\n".join(updated(root, problems)) + "\n"
    if not problems and text != readme.read_text(encoding="utf-8"):
        if "--write" in sys.argv:
            readme.write_text(text, encoding="utf-8")
        else:
            problems.append("tests/pipelines/README.md is not up to date: run tools/list_cases.py --write")
    print(*(problems or ["case lists: ok"]), sep="\n")
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
