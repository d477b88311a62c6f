#!/usr/bin/env python3
"""Lists the pipeline cases: what each of them holds, or which pass acts on what, made from the comments of the cases.

usage: list_cases.py [FOLDER...]   the cases of these folders of tests/pipelines, or of all, with what must hold
       list_cases.py --covered     one row per stages, kind of interface and pass: where it acts, where it must not
       list_cases.py --check       exit status 1 and a word for each comment or README row that is wrong
Each takes --root ROOT, another tree than the one this file is in.

The table of --covered is made of the ";; covers:" directives:

    ;; covers: vert->tesc, dynamic arrays, narrow-array-elements            a pass acts on a kind of interface
    ;; covers: vert->tesc, dynamic arrays, narrow-array-elements, must-not  it must leave it as it is
"""
import argparse
import pathlib
import re
import sys

PAIRS = ["vert->frag", "vert->tesc", "tesc->tese", "vert->geom", "tese->geom", "tese->frag", "geom->frag",
         "task->mesh", "mesh->frag", "whole pipeline"]
KINDS = ["vectors", "integers", "64-bit", "16-bit", "matrices", "arrays", "dynamic arrays", "structs", "blocks",
         "interpolation", "patch", "per-primitive", "payload", "built-ins", "captured", "uniforms"]


class Case:
    def __init__(self, path):
        self.folder, self.name = path.parent.name, path.stem
        head = path.read_text(encoding="utf-8").split("\n==", 1)[0].splitlines()
        comments = [line[2:].strip() for line in head if line.startswith(";;")]
        self.about = " ".join(line for line in comments if not re.match(r"[a-z]+:", line))
        self.covers = [[word.strip() for word in line.split(":", 1)[1].split(",")]
                       for line in comments if line.startswith("covers:")]


def cases_of(root):
    return [Case(path) for path in sorted((root / "tests/pipelines").glob("*/*.case"))]


def passes_of(root):
    return re.findall(r'\.name = "([\w-]+)"', (root / "src/core/passes/registry.cpp").read_text(encoding="utf-8"))


def list_cases(cases, folders):
    for folder in dict.fromkeys(case.folder for case in cases if not folders or case.folder in folders):
        print(f"{folder}/")
        for case in cases:
            if case.folder == folder:
                print(f"  {case.name}: {case.about}")


def list_covered(cases, passes):
    cells = {}
    for case in cases:
        for pair, kind, name, *rest in case.covers:
            key = (PAIRS.index(pair), KINDS.index(kind), passes.index(name))
            cells.setdefault(key, ([], []))[bool(rest)].append(f"{case.folder}/{case.name}")
    for (pair, kind, name), (acts, stays) in sorted(cells.items()):
        print(f"{PAIRS[pair]}, {KINDS[kind]}, {passes[name]}")
        for title, names in (("acts", acts), ("must not", stays)):
            print(f"  {title}: {', '.join(names) or '-'}")


def unknown_words(case, passes):
    """What a covers directive says that no list knows."""
    for words in case.covers:
        pair, kind, name = (words + ["", "", ""])[:3]
        yield from (word for word, known in ((pair, PAIRS), (kind, KINDS), (name, passes)) if word not in known)
        yield from (word for word in words[3:] if word != "must-not")


def problems_of(root, cases, passes):
    for case in cases:
        yield from (f"{case.folder}/{case.name}: covers '{word}'" for word in unknown_words(case, passes))
        if not case.about:
            yield f"{case.folder}/{case.name}: does not say what must hold"
    readme = root / "tests/pipelines/README.md"
    text = readme.read_text(encoding="utf-8")
    rows = re.findall(r"^\| ([\w-]+) \| ", text, re.M)
    folders = sorted({case.folder for case in cases})
    yield from (f"README.md has no row for the folder {folder}" for folder in folders if folder not in rows)
    linked = re.findall(r"\]\(([\w/]+\.case)\)", text)
    yield from sorted({f"README.md names {name}, which is not there" for name in linked
                       if not (readme.parent / name).exists()})


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="*", metavar="FOLDER")
    parser.add_argument("--covered", action="store_true")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--root", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parent.parent)
    arguments = parser.parse_args()
    cases, passes = cases_of(arguments.root), passes_of(arguments.root)
    problems = list(problems_of(arguments.root, cases, passes))
    if arguments.check or problems:
        print(*(problems or ["case comments: ok"]), sep="\n")
        sys.exit(1 if problems else 0)
    if arguments.covered:
        list_covered(cases, passes)
    else:
        list_cases(cases, arguments.folders)


if __name__ == "__main__":
    main()
