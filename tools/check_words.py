#!/usr/bin/env python3
"""Holds README.md, bench/README.md and docs/*.md to a length at which somebody reads them, and header comments to subjects with a name.

usage: tools/check_words.py [ROOT]         exit status 1 and a line for each page or comment that is too long or reads badly
       tools/check_words.py --list [ROOT]  words, sentences and words per sentence of each page

Words have a letter or digit; those of code and tables count as well, bars of tables do not. All pages together have at most TOTAL, and
each has at most what PAGES says, or ELSE. Sentences are those of paragraphs and list items, without code, tables and headings; their mean is at most MEAN words, and
none has more than LONGEST. A rule of docs/legality.md has at most RULE words: the rule, its source, what would break. A page may grow if it has something new to say: shorten what is there first, then raise its number. No sentence of a page or of a comment in a header of src begins with "What ..." or "Nobody ...".
"""
import pathlib
import re
import sys

TOTAL, ELSE, MEAN, LONGEST, RULE = 31200, 900, 20, 60, 120
PAGES = {"README.md": 1250, "bench/README.md": 2200, "docs/batch.md": 1250, "docs/check.md": 2200, "docs/cli.md": 2550,
         "docs/cost-profiles.md": 1050, "docs/layer.md": 1250, "docs/legality.md": 7900, "docs/library.md": 950, "docs/limits.md": 1400,
         "docs/proof.md": 1750, "docs/verification.md": 1250}
# A sentence whose subject is "what is ..." names nothing that a reader could look up. Questions may begin so.
NAMELESS = re.compile(r"(what|whatever|whoever|nobody|somebody)\b(?!.*\?$)", re.I)


def pages(root):
    return [root / "README.md", root / "bench/README.md", *sorted(root.glob("docs/*.md"))]


def paragraphs(text):
    """Texts of paragraphs and list items."""
    text = re.sub(r"<!--.*?-->", "", re.sub(r"^```.*?^```", "", text, flags=re.M | re.S), flags=re.S)
    found, open_list = [""], False
    for line in text.splitlines():
        is_item = re.match(r"\s*([-*]|\d+\.) ", line)
        open_list = bool(is_item) or (open_list and line.startswith("  "))
        if not line.strip() or line.startswith(("|", "#", "![")) or (line.startswith("    ") and not open_list):
            found.append("")
        elif is_item:
            found.append(line[is_item.end():])
        else:
            found[-1] += " " + line.strip().removesuffix("\\")
    return [paragraph for paragraph in found if paragraph.strip()]


def sentences(text):
    for paragraph in paragraphs(text):
        plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", re.sub(r"`[^`]*`", "code", paragraph)).replace("*", "")
        yield from (each for each in re.split(r"(?<=[.!?])\s+", plain.strip()) if re.search(r"\w", each))


def comments(text):
    """(line, text) of each run of comment lines, and of each comment behind code."""
    run, first = [], 0
    for number, line in enumerate([*text.splitlines(), ""], 1):
        whole = re.match(r"\s*//\s?(.*)", line)
        if whole:
            first = first if run else number
            run.append(whole[1])
            continue
        if run:
            yield first, " ".join(run)
            run = []
        if behind := re.search(r"\S.*?//\s?(.*)", line):
            yield number, behind[1]


def nameless_comments(path):
    for number, comment in comments(path.read_text(encoding="utf-8")):
        for sentence in re.split(r"(?<=[.!?:])\s+", comment):
            if NAMELESS.match(sentence):
                yield number, sentence


def comment_problems(root):
    for path in sorted((root / "src").rglob("*.h")):
        for number, sentence in nameless_comments(path):
            yield f"{path.relative_to(root)}:{number}: name the subject: {sentence[:70]}"


class Page:
    def __init__(self, path, root):
        text = path.read_text(encoding="utf-8")
        self.name = str(path.relative_to(root))
        self.words = sum(1 for word in text.split() if re.search(r"[^\W_]", word))
        self.rules = re.findall(r"^### (R-[\d.]+)(.*?)(?=^#|\Z)", text, re.M | re.S)
        self.sentences = list(sentences(text))
        lengths = [len(each.split()) for each in self.sentences]
        self.mean = sum(lengths) / len(lengths) if lengths else 0.0

    def problems(self):
        limit = PAGES.get(self.name, ELSE)
        if self.words > limit:
            yield f"{self.name}: {self.words} words, limit {limit}"
        if self.mean > MEAN:
            yield f"{self.name}: {self.mean:.1f} words a sentence, limit {MEAN}"
        for number, rule in self.rules:
            if len(rule.split()) > RULE:
                yield f"{self.name}: {number} has {len(rule.split())} words, limit {RULE}"
        for each in self.sentences:
            if len(each.split()) > LONGEST:
                yield f"{self.name}: a sentence of {len(each.split())} words: {each[:70]}..."
            if NAMELESS.match(each):
                yield f"{self.name}: name the subject: {each[:70]}"


def main():
    arguments = [argument for argument in sys.argv[1:] if argument != "--list"]
    root = pathlib.Path(arguments[0]) if arguments else pathlib.Path(__file__).resolve().parent.parent
    read = [Page(path, root) for path in pages(root) if path.exists()]
    total = sum(page.words for page in read)
    if "--list" in sys.argv:
        for page in read:
            print(f"{page.name:28} {page.words:6} words {len(page.sentences):5} sentences {page.mean:5.1f} words each")
        print(f"{'together':28} {total:6} words")
        return 0
    problems = [problem for page in read for problem in page.problems()] + list(comment_problems(root))
    if total > TOTAL:
        problems.append(f"all pages together: {total} words, limit {TOTAL}")
    print(*(problems or ["words: ok"]), sep="\n")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
