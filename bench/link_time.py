#!/usr/bin/env python3
"""Compares how long two builds of varylink take to link the same manifests.

    bench/link_time.py OLD NEW MANIFEST... [--times N] [--options=-O1 --options=-O2]

OLD and NEW are commands. Both link every manifest with one thread, in turns, N times each (default 3). Prints for each
manifest and each of the options the least CPU seconds of either, start and files included, and their ratio.
"""
import argparse
import os
import pathlib
import subprocess
import sys
import tempfile

MAY_END_WITH = {0, 4}  # done, or some stages do not fit together (docs/cli.md)


def cpu_seconds(command, manifest, options):
    """Of one run, which has to succeed."""
    before = os.times()
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run([command, "link", "--manifest", manifest, "-o", folder, "-q", "-j1", *options],
                              capture_output=True, text=True, check=False)
        if done.returncode not in MAY_END_WITH:
            sys.exit(f"{' '.join(done.args)}: exit status {done.returncode}\n{done.stderr}")
    after = os.times()
    return after.children_user - before.children_user + after.children_system - before.children_system


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("commands", nargs=2, metavar="COMMAND")
    parser.add_argument("manifests", nargs="+")
    parser.add_argument("--times", type=int, default=3, help="runs of each (default: %(default)s)")
    parser.add_argument("--options", action="append", help="of both commands; again: measured too (default: -O1, -O2)")
    arguments = parser.parse_args()
    print("| set | options | old, s | new, s | ratio |\n|---|---|---|---|---|")
    for manifest in arguments.manifests:
        for options in arguments.options or ["-O1", "-O2"]:
            runs = [[cpu_seconds(command, manifest, options.split()) for command in arguments.commands]
                    for _ in range(arguments.times)]
            old, new = map(min, zip(*runs))
            print(f"| {pathlib.Path(manifest).stem} | `{options}` | {old:.2f} | {new:.2f} | {new / old:.2f} |", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
