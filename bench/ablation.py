#!/usr/bin/env python3
"""What each pass wins: links whole sets of pipelines with all passes of -O1 and -O2, and with all but one.

    bench/ablation.py MANIFEST...

Prints a Markdown table of components and locations (sums over the pipelines that link in every run), and of what the
stages cost: scalar operations of the vertex and the fragment stages, and the sum of their critical paths (docs/cost-profiles.md).
Counts the pipelines in which some run needs more than the input, or -O2 more than it does without moving code; there must be
none, else the exit status is 1.

VARYLINK   the command to measure (default: build/release/varylink)
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

VARYLINK = os.environ.get("VARYLINK", str(pathlib.Path(__file__).resolve().parents[1] / "build/release/varylink"))
# A pipeline layout in which every stage can read every buffer.
LAYOUT = pathlib.Path(__file__).resolve().parent / "all_stages_layout.json"


def passes(level):
    """Names of the passes that a level runs, in order."""
    lines = subprocess.run([VARYLINK, "link", "--help-passes"], capture_output=True, text=True, check=True).stdout
    return [words[0] for words in map(str.split, lines.splitlines()) if words[1] <= f"-O{level}"]


def runs():
    """(name, options) of every run."""
    yield "-O1", ["-O1"]
    yield "-O2", ["-O2"]
    yield "-O3", ["-O3"]
    yield "-O2 --pack-beside-arrays", ["-O2", "--pack-beside-arrays"]
    yield "-O2 --profile tiler", ["-O2", "--profile", "tiler"]
    yield "-O2 --layout", ["-O2", "--layout", str(LAYOUT)]
    for name in passes(2):
        yield f"-O2 without {name}", ["-O2", "--passes", ",".join(each for each in passes(2) if each != name)]


def sizes(pipeline, side):
    return tuple(sum(each[side][what] for each in pipeline["interfaces"]) for what in ("components", "locations"))


def costs(pipeline, side):
    by_stage = {each["stage"]: each["cost"][side] for each in pipeline["stages"] if each.get("cost")}
    count = lambda stage: by_stage[stage]["instructions"] if stage in by_stage else 0
    return count("vert"), count("frag"), sum(each["critical_path"] for each in by_stage.values())


def link(manifest, options):
    """Name -> pipeline of the report, of the pipelines that were linked."""
    with tempfile.TemporaryDirectory() as folder:
        report = pathlib.Path(folder) / "report.json"
        subprocess.run([VARYLINK, "link", "--manifest", manifest, "--report", str(report), "-q", *options],
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
        pipelines = json.loads(report.read_text(encoding="utf-8"))["pipelines"]
    return {each["name"]: each for each in pipelines if each["status"] == "linked"}


def totals(pipelines, side, names):
    rows = [sizes(pipelines[name], side) + costs(pipelines[name], side) for name in names]
    return [sum(column) for column in zip(*rows)] if rows else [0] * 5


def grew(before, after):
    return any(new > old for old, new in zip(before, after))


def measure(manifest):
    results = {name: link(manifest, options) for name, options in runs()}
    names = set.intersection(*(set(each) for each in results.values()))
    print(f"\n**{pathlib.Path(manifest).stem}**, {len(names)} pipelines\n")
    print("| run | components | locations | vertex operations | fragment operations | critical paths |")
    print("|---|---|---|---|---|---|")
    first = next(iter(results.values()))
    for name, row in [("input", totals(first, "before", names))] + [(name, totals(each, "after", names))
                                                                     for name, each in results.items()]:
        print("| " + " | ".join([name, *map(str, row)]) + " |")
    worse = sum(grew(sizes(first[name], "before"), sizes(each[name], "after"))
                for each in results.values() for name in names)
    still = results["-O2 without inter-stage-code-motion"]
    hurt = sum(grew(sizes(still[name], "after"), sizes(results["-O2"][name], "after")) for name in names)
    print(f"\nLarger than the input: {worse}. Larger with motion than without: {hurt}.")
    return worse + hurt


if __name__ == "__main__":
    if len(sys.argv) < 2 or sys.argv[1] in ("-h", "--help"):
        sys.exit(__doc__)
    sys.exit(1 if sum(measure(manifest) for manifest in sys.argv[1:]) else 0)
