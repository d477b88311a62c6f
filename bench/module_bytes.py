#!/usr/bin/env python3
"""Bytes of modules before and after linking, from reports of `varylink link --manifest SET.jsonl --report SET.json`.

    bench/module_bytes.py REPORT...

Prints a row for each report and one for all: bytes after linking per byte before, modules of more than 1.1 times their
bytes, and how many of those the report gives no reason for (`larger_because`). Exit status 1 if there is such a module.
Stages that came as GLSL have no bytes before and are left out.
"""
import json
import pathlib
import sys

LARGER = 1.1


class Sum:
    def __init__(self):
        self.before = self.after = self.larger = self.unexplained = 0

    def add(self, stage):
        source = pathlib.Path(stage["file"])
        if source.suffix != ".spv":
            return
        before = source.stat().st_size
        self.before += before
        self.after += stage["bytes"]
        if stage["bytes"] > LARGER * before:
            self.larger += 1
            self.unexplained += "larger_because" not in stage

    def row(self, name):
        ratio = self.after / self.before if self.before else 1
        return f"| {name} | {self.before} | {self.after} | {ratio:.3f} | {self.larger} | {self.unexplained} |"


def main():
    every = Sum()
    print("| set | bytes | linked | ratio | larger than 1.1 | without a reason |\n|---|---|---|---|---|---|")
    for name in sys.argv[1:]:
        one = Sum()
        for pipeline in json.loads(pathlib.Path(name).read_text())["pipelines"]:
            for stage in pipeline["stages"]:
                one.add(stage)
                every.add(stage)
        print(one.row(pathlib.Path(name).stem))
    print(every.row("all"))
    return 1 if every.unexplained else 0


if __name__ == "__main__":
    sys.exit(main())
