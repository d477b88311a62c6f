#!/usr/bin/env python3
"""Holds the #include lines under src/ to the layers of ARCHITECTURE.md.

A folder may include itself and folders of a lower rank. Headers of outside libraries may only be included where LIBRARIES
says. Included files must exist, and files may not include each other in a circle.

usage: check_layers.py [ROOT]      exit status 1 and one line per violation if there are any
"""
import pathlib
import re
import sys

# Low to high. Folders on one line stand side by side and do not know each other.
LAYERS = [
    {"base"},
    {"spirv"},
    {"io"},
    {"analysis"},
    {"graph"},
    {"link"},
    {"passes", "frontend"},
    {"driver"},
    {"check", "report", "verify"},
    {"api"},
    {"cli"},
]

# Outside library -> the only folders that may include its headers.
LIBRARIES = {
    r"spirv-tools/": {"spirv"},
    r"glslang/|SPIRV/": {"frontend"},
    r"vulkan/": {"verify"},
    r"png\.h": {"verify"},
    r"CLI/": {"cli"},
}

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
GENERATED = {"base/version.h"}


def ranks():
    return {folder: rank for rank, folders in enumerate(LAYERS) for folder in folders}


def includes(path):
    """(line number, '<' or '"', name) of every #include in the file"""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if match := INCLUDE.match(line):
            yield number, match.group(1), match.group(2)


def violation(rank, folder, quote, name, src):
    """What is wrong with including `name` from `folder`, or None."""
    if quote == "<":
        for pattern, allowed in LIBRARIES.items():
            if re.match(pattern, name) and folder not in allowed:
                return f"<{name}> may only be included from {', '.join(sorted(allowed))}/"
        return None
    if name in GENERATED:
        return None
    if not (src / name).is_file():
        return f'"{name}" is not a file under src/ (includes are written from there)'
    other = name.split("/")[0]
    if other == folder:
        return None
    if other not in rank:
        return f"folder {other}/ has no layer: add it to tools/check_layers.py"
    if rank[other] >= rank[folder]:
        return f'"{name}" is not below {folder}/'
    return None


def circles(graph):
    """One list of files for each circle that a depth-first walk closes."""
    done, path, found = set(), [], []

    def visit(node):
        if node in path:
            found.append(path[path.index(node):] + [node])
        elif node not in done:
            path.append(node)
            for successor in graph.get(node, []):
                visit(successor)
            path.pop()
            done.add(node)

    for node in sorted(graph):
        visit(node)
    return found


def check(root):
    src = root / "src"
    rank = ranks()
    problems, graph = [], {}
    for path in sorted(p for p in src.rglob("*") if p.suffix in (".h", ".cpp")):
        name = path.relative_to(src).as_posix()
        folder = name.split("/")[0]
        if folder not in rank:
            problems.append(f"src/{name}: folder {folder}/ has no layer: add it to tools/check_layers.py")
            continue
        graph[name] = [included for _, quote, included in includes(path) if quote == '"']
        for number, quote, included in includes(path):
            if problem := violation(rank, folder, quote, included, src):
                problems.append(f"src/{name}:{number}: {problem}")
    problems += ["circle: " + " -> ".join(circle) for circle in circles(graph)]
    return problems


def main():
    root = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else pathlib.Path(__file__).resolve().parent.parent
    problems = check(root)
    print("\n".join(problems) if problems else "layers: ok")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
