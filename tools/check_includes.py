#!/usr/bin/env python3
"""A name of the standard library is used where its header is included.

A name that comes only by way of another header of the standard library compiles until another release of that library
includes less: such a build breaks on a machine that nobody tried.

Exit status 1 and a line for each file and header that is missing.
"""
import functools
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

# Functions and objects: the header stands in the file that uses them, or in its own header.
FUNCTIONS = {
    "algorithm": """adjacent_find all_of any_of binary_search clamp copy_if copy_n count count_if equal equal_range fill
        fill_n find find_if find_if_not for_each generate includes inplace_merge is_permutation is_sorted
        lexicographical_compare lower_bound max max_element merge min min_element minmax mismatch next_permutation none_of
        nth_element partial_sort partition remove_if replace reverse rotate search set_difference set_intersection
        set_union sort stable_partition stable_sort transform unique upper_bound""",
    "bit": "bit_cast bit_ceil bit_floor bit_width countl_zero countr_zero endian has_single_bit popcount",
    "charconv": "from_chars to_chars",
    "cmath": "abs ceil cos exp exp2 fabs floor fmod isfinite isinf isnan ldexp log log2 nextafter pow signbit sin sqrt trunc",
    "iostream": "cerr cin cout",
    "limits": "numeric_limits",
    "numeric": "accumulate exclusive_scan gcd inclusive_scan iota lcm partial_sum reduce",
}
# Types: a header of the project may bring them, since what it declares has them.
TYPES = {
    "array": "array",
    "atomic": "atomic atomic_flag",
    "bitset": "bitset",
    "chrono": "chrono",
    "condition_variable": "condition_variable",
    "deque": "deque",
    "filesystem": "filesystem",
    "fstream": "ifstream ofstream",
    "functional": "function greater hash less plus",
    "list": "list",
    "map": "map multimap",
    "memory": "make_shared make_unique shared_ptr unique_ptr weak_ptr",
    "mutex": "call_once lock_guard mutex once_flag scoped_lock unique_lock",
    "optional": "make_optional nullopt optional",
    "random": "mt19937 mt19937_64 uniform_int_distribution",
    "set": "multiset set",
    "span": "span",
    "sstream": "istringstream ostringstream stringstream",
    "string": "string to_string",
    "string_view": "string_view",
    "thread": "jthread thread",
    "tuple": "make_tuple tie tuple",
    "unordered_map": "unordered_map",
    "unordered_set": "unordered_set",
    "variant": "get_if holds_alternative monostate variant visit",
    "vector": "vector",
}
HEADER_OF = {name: header for table in (FUNCTIONS, TYPES) for header, names in table.items() for name in names.split()}
FUNCTION_NAMES = {name for names in FUNCTIONS.values() for name in names.split()}
# These bring the others by the standard's own words.
BRINGS = {"string": {"string_view"}, "iostream": {"string"}, "sstream": {"string"}, "fstream": {"string"}}

NAME = re.compile(r"\bstd::(?:ranges::)?([a-z_0-9]+)\b")
INCLUDE = re.compile(r'^\s*#\s*include\s+(?:<([^>]+)>|"([^"]+)")', re.MULTILINE)
COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
STRING = re.compile(r'"(?:\\.|[^"\\\n])*"')
FOLDERS = [ROOT / folder for folder in ("src/core", "src/services", "src/tools", "tests", "include", "layer", ".")]


@functools.lru_cache(maxsize=None)
def includes(path: Path):
    """The standard headers that a file includes itself, and the project's."""
    system, project = set(), []
    for standard, quoted in INCLUDE.findall(path.read_text()):
        name = standard or quoted
        found = next((f / name for f in [path.parent, *FOLDERS] if (f / name).is_file()), None)
        if found:
            project.append(found.resolve())
        else:
            system.add(name)
    return system, project


@functools.lru_cache(maxsize=None)
def reached(path: Path):
    """The standard headers that a file includes, itself or by headers of the project."""
    system, seen, rest = set(), set(), [path]
    while rest:
        file = rest.pop()
        if file in seen:
            continue
        seen.add(file)
        system |= includes(file)[0]
        rest += includes(file)[1]
    return with_brought(system)


def with_brought(headers):
    return headers | {more for header in headers for more in BRINGS.get(header, ())}


def missing(path: Path):
    code = STRING.sub('""', COMMENT.sub("", path.read_text()))
    system, project = includes(path)
    own = [header for header in project if header == path.with_suffix(".h")]
    near = with_brought(system.union(*(includes(header)[0] for header in own)))
    needed = {}
    for name in NAME.findall(code):
        header = HEADER_OF.get(name)
        if header and header not in (near if name in FUNCTION_NAMES else reached(path)):
            needed.setdefault(header, name)
    return sorted(needed.items())


def main() -> int:
    listed = subprocess.run(["git", "ls-files", "*.h", "*.cpp"], cwd=ROOT, check=True, capture_output=True, text=True)
    faults = 0
    for name in listed.stdout.split():
        path = (ROOT / name).resolve()
        if not path.exists():
            continue
        for header, used in missing(path):
            print(f"{name}: std::{used} is used without #include <{header}>")
            faults += 1
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
