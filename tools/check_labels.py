#!/usr/bin/env python3
"""Holds the number of `case Op::` labels in src: what an operation is stands in the table src/core/spirv/ir/operations.def.

usage: check_labels.py [--by-file] [ROOT]

Code that asks for an opcode where it could ask for a fact of its row knows less than the table by and by. The prover and the
table's own files are not counted: a proof shares nothing with what it checks, and tests/unit/services/prove/operations_test.cpp compares
both. Whoever removes labels lowers LIMIT.
"""
import collections
import pathlib
import re
import sys

LIMIT = 166
LABEL = re.compile(r"\bcase (?:spv::)?Op::")
NOT_COUNTED = ("services/prove/", "core/spirv/ir/operations.")
TABLE = re.compile(r'#include "spirv/ir/operations\.h"')


def main():
    arguments = [word for word in sys.argv[1:] if word != "--by-file"]
    by_file = len(arguments) + 1 < len(sys.argv)
    root = pathlib.Path(arguments[0]) if arguments else pathlib.Path(__file__).resolve().parent.parent
    counts, failed = collections.Counter(), False
    for path in sorted(path for path in (root / "src").rglob("*") if path.suffix in (".h", ".cpp")):
        name, text = path.relative_to(root / "src").as_posix(), path.read_text(encoding="utf-8")
        if name.startswith("services/prove/") and TABLE.search(text):
            print(f"src/{name}: the prover is what the table of operations is tested against, and may not include it")
            failed = True
        if not name.startswith(NOT_COUNTED):
            counts[name] = len(LABEL.findall(text))
    total = sum(counts.values())
    if by_file:
        for name, count in counts.most_common():
            if count:
                print(f"{count:4} src/{name}")
    if total > LIMIT:
        print(f"labels: {total} times `case Op::` in src, {LIMIT} are allowed: facts of operations stand in src/core/spirv/ir/operations.def")
    elif total < LIMIT:
        print(f"labels: {total}, lower LIMIT in tools/check_labels.py from {LIMIT}")
    else:
        print("labels: ok")
    return 1 if failed or total != LIMIT else 0


if __name__ == "__main__":
    sys.exit(main())
