#!/usr/bin/env python3
"""Holds docs/legality.md, the sources and the tests to each other by the numbers of the rules.

usage: check_legality.py [ROOT]      exit status 1 and a word for each rule that is
                                      - cited, but not defined in docs/legality.md
                                      - defined, but cited nowhere in src: nothing enforces it
                                      - not held by a test that allows it, or by one that forbids it
                                      and for each case of tests/pipelines that holds no rule and does not say why
       check_legality.py R-1.3...    where these rules are enforced and held

A rule is defined by its heading "### R-1.3 ..."; each has its source and what breaks without it. Code cites it in a
comment beside what enforces it. Cases of tests/pipelines, tests/passes and tests/check name it in a line of their head, tests in C++ in a
comment:

    ;; allows: R-1.3, R-4.2      something happens that the rule lets happen
    // forbids: R-1.3            something does not, because of the rule
    ;; no-rule: an option asks for it      the case is about something that no rule decides
"""
import collections
import pathlib
import re
import sys

RULE = re.compile(r"\bR-\d+\.\d+\b")
NO_RULE = re.compile(r"^;; no-rule: \S", re.M)
HOLDS = re.compile(r"^\s*(?:;;|//) (allows|forbids): ((?:R-\d+\.\d+(?:, )?)+)$", re.M)
SOURCES = ("src", "include")
TESTS = ("tests/pipelines", "tests/passes", "tests/check", "tests/render", "tests/unit", "tests/fuzz")


def files(root, folders, *suffixes):
    for folder in folders:
        yield from sorted(path for path in (root / folder).rglob("*") if path.suffix in suffixes)


class Citations:
    """Where each rule is cited: by kind ("enforced", "allows", "forbids"), then number, the places."""

    def __init__(self, root):
        self.places = {kind: collections.defaultdict(list) for kind in ("enforced", "allows", "forbids")}
        self.loose = []  # citations in tests that hold nothing, and cases that cite nothing
        for path in files(root, SOURCES, ".h", ".hpp", ".cpp"):
            for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
                for rule in RULE.findall(line):
                    self.places["enforced"][rule].append(f"{path.relative_to(root)}:{number}")
        for path in files(root, TESTS, ".case", ".h", ".cpp"):
            text = path.read_text(encoding="utf-8")
            head = text.split("\n==", 1)[0] if path.suffix == ".case" else text
            for kind, rules in HOLDS.findall(head):
                for rule in RULE.findall(rules):
                    self.places[kind][rule].append(str(path.relative_to(root)))
            if path.suffix == ".case":
                rest = HOLDS.sub("", head)
                self.loose += [f"{path.relative_to(root)}: {rule} stands in neither ;; allows: nor ;; forbids:"
                               for rule in RULE.findall(rest)]
                if path.is_relative_to(root / "tests/pipelines") and bool(NO_RULE.search(head)) == bool(HOLDS.search(head)):
                    self.loose.append(f"{path.relative_to(root)}: a case has ;; allows: or ;; forbids:, or else ;; no-rule:")


def defined_rules(text):
    """Number -> the paragraph of its definition."""
    parts = re.split(r"^### (?=R-)", text, flags=re.M)[1:]
    return {RULE.match(part).group(): part.split("\n## ")[0] for part in parts}


def problems_of(root):
    text = (root / "docs/legality.md").read_text(encoding="utf-8")
    rules, cited = defined_rules(text), Citations(root)
    for number in RULE.findall(text):
        if number not in rules:
            yield f"docs/legality.md: {number} is not defined"
    for number, paragraph in rules.items():
        if text.count(f"### {number} ") > 1:
            yield f"{number} is defined twice"
        for word in ("*Source:*", "*Without it:*"):
            if word not in paragraph:
                yield f"{number} has no {word.strip('*:')}"
    for kind, what in (("enforced", "nothing in src enforces it"), ("allows", "no test allows something by it"),
                       ("forbids", "no test forbids something by it")):
        for number in rules:
            if not cited.places[kind][number]:
                yield f"{number}: {what}"
        for number, places in sorted(cited.places[kind].items()):
            if places and number not in rules:
                yield f"{places[0]}: {number} is not defined"
    yield from cited.loose


def show(root, number):
    cited = Citations(root)
    paragraph = defined_rules((root / "docs/legality.md").read_text(encoding="utf-8")).get(number)
    print(paragraph.strip() if paragraph else f"{number} is not defined")
    for kind, places in cited.places.items():
        print(f"  {kind}:", *dict.fromkeys(places[number]), sep="\n    ")


def main():
    numbers = [argument for argument in sys.argv[1:] if RULE.fullmatch(argument)]
    folders = [argument for argument in sys.argv[1:] if argument not in numbers]
    root = pathlib.Path(folders[0]) if folders else pathlib.Path(__file__).resolve().parent.parent
    for number in numbers:
        show(root, number)
    problems = [] if numbers else list(dict.fromkeys(problems_of(root)))
    if not numbers:
        print(*(problems or ["legality: ok"]), sep="\n")
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
