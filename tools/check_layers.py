#!/usr/bin/env python3
"""Holds the #include lines under src/ to the layers of ARCHITECTURE.md.

A room is a folder that holds files: src/core/base, src/core/spirv/ir. #include lines name it from its floor on, src/core,
src/services or src/tools: "base/result.h". A file may include files of its own room and of rooms of a lower rank. A room
inside another one has a rank of its own: what stands in src/core/passes is above src/core/passes/packing. Headers of outside
libraries may only be included where LIBRARIES says. Included files must exist, and files may not include each other in a
circle.

usage: check_layers.py [ROOT]             exit status 1 and one line per violation if there are any
       check_layers.py --arrows [ROOT]    the rooms with their files and lines, and which rooms each of them includes
"""
import collections
import pathlib
import re
import sys

# Floor -> its rooms, all low to high. Rooms on one line stand side by side and do not know each other.
FLOORS = {
    "core": [
        {"base"},
        {"state", "spirv/ir"},
        {"spirv/cleanup"},
        {"spirv/entry_points", "spirv/tools"},
        {"varyings/reflect"},
        {"varyings/scalarize"},
        {"varyings/vectorize"},
        {"analysis"},
        {"specialize_state"},
        {"graph"},
        {"link/model"},
        {"link/values", "link/rules"},
        {"passes/packing", "passes/motion", "passes/affine"},
        {"passes", "prepare", "check"},
        {"link/scalarize"},
        {"driver"},
        {"share"},
    ],
    "services": [
        {"platform"},
        {"store", "frontend", "measure", "prove/terms"},
        {"prove/machine"},
        {"prove", "report/flow"},
        {"report"},
        {"api"},
    ],
    "tools": [
        {"formats", "verify"},
        {"formats/sc", "formats/fossilize", "formats/gfxreconstruct", "meter"},
        {"cli/files"},
        {"cli/cache"},
        {"cli/settings"},
        {"cli/batch"},
        {"cli"},
    ],
}

# Folder -> the only rooms outside of it that it may include. A proof is worth something as long as it shares nothing with
# what it checks but the reading of modules.
INDEPENDENT = {
    "prove": {"base", "spirv/ir", "spirv/tools"},
}

# Outside library -> the only folders, with the rooms in them, that may include its headers.
LIBRARIES = {
    r"spirv-tools/": {"spirv/tools"},
    r"glslang/|SPIRV/": {"frontend"},
    r"vulkan/": {"verify", "meter"},
    r"png\.h": {"verify"},
    r"CLI/": {"cli"},
    r"zlib\.h": {"formats/fossilize"},
    # The system: POSIX or Windows. No other room knows which one it is.
    r"(sys|arpa|netinet|mach-o)/|(unistd|fcntl|poll|dlfcn|pthread|sched|spawn|signal|termios)\.h": {"platform"},
    r"(windows|winsock2?|shellapi|io|process|direct)\.h": {"platform"},
    r"(filesystem|fstream)$": {"platform"},  # their names are not UTF-8 on Windows
}

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
GENERATED = {"base/version.h", "report/page.h"}


def ranks():
    layers = [rooms for floor in FLOORS.values() for rooms in floor]
    return {room: rank for rank, rooms in enumerate(layers) for room in rooms}


def floor_of(room):
    """The floor that a room has to stand on, or None if it has no layer."""
    return next((floor for floor, layers in FLOORS.items() if any(room in rooms for rooms in layers)), None)


def room_of(name):
    """The room of a file that is named from its floor on: the folder it stands in."""
    return name.rpartition("/")[0]


def file_of(src, name):
    """The file that an #include line means, on whichever floor, or None."""
    return next((path for floor in FLOORS if (path := src / floor / name).is_file()), None)


def is_in(room, folder):
    return room == folder or room.startswith(folder + "/")


def source_files(src):
    """(floor, name from the floor on, path) of every file that the layers hold, in order"""
    paths = (path for path in src.rglob("*") if path.suffix in (".h", ".cpp"))
    splits = ((path.relative_to(src).as_posix().partition("/"), path) for path in paths)
    return sorted((floor if name else "", name or floor, path) for (floor, _, name), path in splits)


def includes(path):
    """(line number, '<' or '"', name) of every #include in the file"""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if match := INCLUDE.match(line):
            yield number, match.group(1), match.group(2)


def violation(rank, room, quote, name, src):
    """What is wrong with including `name` from `room`, or None."""
    if quote == "<":
        for pattern, allowed in LIBRARIES.items():
            if re.match(pattern, name) and not any(is_in(room, folder) for folder in allowed):
                return f"<{name}> may only be included from {', '.join(sorted(allowed))}/"
        return None
    if name in GENERATED:
        return None
    if not file_of(src, name):
        return f'"{name}" is not a file of a floor of src/ (includes are written from there)'
    other = room_of(name)
    if other == room:
        return None
    if other not in rank:
        return f"folder {other}/ has no layer: add it to tools/check_layers.py"
    for folder, allowed in INDEPENDENT.items():
        if is_in(room, folder) and not is_in(other, folder) and other not in allowed:
            return f'"{name}" may not be included from {folder}/, which is independent of it'
    if rank[other] >= rank[room]:
        return f'"{name}" is not below {room}/'
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
    for floor, name, path in source_files(src):
        room = room_of(name)
        if floor_of(room) != floor:
            problems.append(f"{path.relative_to(root)}: folder {room}/ has no layer there: add it to tools/check_layers.py")
            continue
        graph[name] = [included for _, quote, included in includes(path) if quote == '"']
        for number, quote, included in includes(path):
            if problem := violation(rank, room, quote, included, src):
                problems.append(f"src/{floor}/{name}:{number}: {problem}")
    problems += ["circle: " + " -> ".join(circle) for circle in circles(graph)]
    return problems


def print_arrows(root):
    """A line per room, lowest first, and the sums: an arrow is a pair of rooms of which one includes the other."""
    src = root / "src"
    files, lines = collections.Counter(), collections.Counter()
    arrows = collections.defaultdict(collections.Counter)
    for _, name, path in source_files(src):
        room = room_of(name)
        files[room] += 1
        lines[room] += len(path.read_text(encoding="utf-8").splitlines())
        for _, quote, included in includes(path):
            if quote == '"' and room_of(included) != room:
                arrows[room][room_of(included)] += 1
    rank = ranks()
    for room in sorted(files, key=lambda room: (rank.get(room, len(rank)), room)):
        below = ", ".join(f"{other} {count}" for other, count in sorted(arrows[room].items()))
        print(f"{room}: {files[room]} files, {lines[room]} lines" + (f" -> {below}" if below else ""))
    print(
        f"{len(files)} rooms, {sum(files.values())} files, {sum(lines.values())} lines, "
        f"{sum(map(len, arrows.values()))} arrows, {sum(map(lambda room: sum(room.values()), arrows.values()))} #include lines across rooms"
    )


def main():
    arguments = [argument for argument in sys.argv[1:] if argument != "--arrows"]
    root = pathlib.Path(arguments[0]) if arguments else pathlib.Path(__file__).resolve().parent.parent
    if "--arrows" in sys.argv[1:]:
        print_arrows(root)
        return 0
    problems = check(root)
    print("\n".join(problems) if problems else "layers: ok")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
