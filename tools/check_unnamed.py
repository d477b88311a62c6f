#!/usr/bin/env python3
"""Fails when two sources of one namespace define the same name in their unnamed namespaces.

usage: check_unnamed.py [ROOT]

samples/run compiles many sources as one (a unity build), where these would be one namespace. Two things with one name are hard
on readers, too: the second is either the first, and belongs into a header, or something else, and has a name that says so.
"""
import collections
import pathlib
import re
import sys

NAMESPACE = re.compile(r"^namespace (varylink[\w:]*) \{", re.MULTILINE)
UNNAMED = re.compile(r"^namespace \{$(.*?)^\}  // namespace$", re.MULTILINE | re.DOTALL)
NOISE = re.compile(r'R"(\w*)\(.*?\)\1"|/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"', re.DOTALL)
TYPE = re.compile(r"(?:template .*> ?)?(?:struct|class|enum class|enum) (\w+)")
ALIAS = re.compile(r"using (\w+) = (.*)|namespace (\w+) = (.*)")
FUNCTION = re.compile(r"[\w:<>,*&\[\] ]*?[\w>&*\]] ?[&*]?(\w+)\(([^;={]*)")
VARIABLE = re.compile(r".*?(\w+)(?:\[\w*\])* ?(?:=|\{|;)")


def definitions(text):
    """(name, what tells overloads and equal aliases apart) of what the unnamed namespaces of a source define."""
    for block in UNNAMED.findall(text):
        for line in NOISE.sub("", block).split("\n"):
            if not line or not (line[0].isalpha() or line[0] == "_") or line.startswith(("using namespace", "public", "private")):
                continue
            if match := TYPE.match(line):
                yield match.group(1), ""
            elif match := ALIAS.match(line):
                yield (match.group(1) or match.group(3)), "= " + (match.group(2) or match.group(4))
            elif re.match(r"using ", line):
                continue
            elif (match := FUNCTION.match(line)) and "::" not in line.split("(")[0].split()[-1]:
                yield match.group(1), "(" + match.group(2)
            elif "(" not in line.split("=")[0] and (match := VARIABLE.match(line)):
                yield match.group(1), ""
                for further in re.findall(r"[\w'}\]\"], (k[A-Z]\w*)(?:\[\w*\])? = ", line):
                    yield further, ""


def main():
    root = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else pathlib.Path(__file__).resolve().parent.parent
    found = collections.defaultdict(list)
    for path in sorted((root / "src").rglob("*.cpp")):
        text = path.read_text(encoding="utf-8")
        space = NAMESPACE.search(text)
        for name, kind in definitions(text) if space else ():
            found[space.group(1), name].append((path.relative_to(root).as_posix(), kind))
    failures = 0
    for (space, name), places in sorted(found.items()):
        files = {path for path, _ in places}
        kinds = {kind for _, kind in places}
        same_alias = len(kinds) == 1 and kinds.copy().pop().startswith("= ")
        overloads = len(kinds) == len(places) and all(kind.startswith("(") for kind in kinds)
        if len(files) > 1 and not same_alias and not overloads:
            failures += 1
            print(f"{space}::{name} is defined in the unnamed namespaces of {', '.join(sorted(files))}")
    if not failures:
        print("names of unnamed namespaces: ok")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
