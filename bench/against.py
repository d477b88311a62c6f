#!/usr/bin/env python3
"""Compares what linking leaves of real pipelines with what another optimizer left of the same ones, one by one.

    bench/against.py [-O3] FIGURES.tsv MANIFEST...

FIGURES.tsv has lines "set, pipeline, components, locations", with tabs; bench/nir_opt_varyings.tsv is one. A set is the
name of a manifest without its extension. Prints, for each set, the sums of both and how many pipelines end smaller, equal
and larger, and every larger one with the rule that explains it:

  discontinuity   it is not larger at -O3: rounding could decide a comparison, a floor, a texel (not asked at -O3)
  array           it is not larger with --pack-beside-arrays: the components beside array elements stay empty
  interpolation   it has as few locations as its components need where every location is interpolated in one way
                  (VUID-StandaloneSpirv-Input-10604), and no more components

Exit status 1 if one is larger and no rule explains it.

VARYLINK   the command to measure (default: build/release/varylink)
"""
import collections
import json
import os
import pathlib
import subprocess
import sys
import tempfile

VARYLINK = os.environ.get("VARYLINK", str(pathlib.Path(__file__).resolve().parents[1] / "build/release/varylink"))


def link(manifest, *options):
    """Name -> pipeline of the report, of the pipelines that were linked."""
    with tempfile.TemporaryDirectory() as folder:
        report = pathlib.Path(folder) / "report.json"
        subprocess.run([VARYLINK, "link", "--manifest", manifest, "--report", str(report), "-q", *options],
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
        pipelines = json.loads(report.read_text(encoding="utf-8"))["pipelines"]
    return {each["name"]: each for each in pipelines if each["status"] == "linked"}


def size(pipeline):
    return tuple(sum(each["after"][what] for each in pipeline["interfaces"]) for what in ("components", "locations"))


def is_larger(own, other):
    return own[0] > other[0] or own[1] > other[1]


def locations_by_interpolation(pipeline):
    """Locations that the components need at four each, components that are interpolated alike together."""
    needed = 0
    for interface in pipeline["interfaces"]:
        places = collections.defaultdict(set)
        for component in interface["components"]:
            if component["new"]:
                places[component["interpolation"]].add(component["new"])
        needed += sum((len(each) + 3) // 4 for each in places.values())
    return needed


def rules(manifest, options):
    """Name of a rule -> whether it explains that a pipeline is larger than `other`. Links again when first asked."""
    known = {}

    def with_option(option):
        def explains(pipeline, other):
            if option not in known:
                known[option] = link(manifest, *options, option)
            return not is_larger(size(known[option][pipeline["name"]]), other)
        return explains

    def interpolation(pipeline, other):
        components, locations = size(pipeline)
        return components <= other[0] and locations <= locations_by_interpolation(pipeline)

    discontinuity = {} if "-O3" in options else {"discontinuity": with_option("-O3")}
    return {**discontinuity, "array": with_option("--pack-beside-arrays"), "interpolation": interpolation}


def compare(manifest, options, figures):
    """Prints the line and the larger pipelines of one set. Returns how many of them nothing explains."""
    own = {name: each for name, each in link(manifest, *options).items() if name in figures}
    smaller = [n for n, p in own.items() if size(p) != figures[n] and not is_larger(size(p), figures[n])]
    larger = [n for n, p in own.items() if is_larger(size(p), figures[n])]
    total = lambda rows: "/".join(str(sum(column)) for column in zip(*rows)) or "0/0"
    print(f"| {pathlib.Path(manifest).stem} | {len(own)} | {total(map(size, own.values()))} | "
          f"{total(figures[name] for name in own)} | {len(smaller)} | {len(own) - len(smaller) - len(larger)} | {len(larger)} |")
    causes, unexplained = rules(manifest, options), 0
    details = collections.Counter()
    for name in larger:
        cause = next((rule for rule, explains in causes.items() if explains(own[name], figures[name])), None)
        details[cause or f"NOT EXPLAINED: {name}"] += 1
        unexplained += cause is None
    return unexplained, details


def main(options, figures_file, *manifests):
    figures = collections.defaultdict(dict)
    for line in pathlib.Path(figures_file).read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            manifest_set, name, components, locations = line.split("\t")
            figures[manifest_set][name] = (int(components), int(locations))
    print("| set | pipelines | linked | other optimizer | smaller | equal | larger |\n|---|---|---|---|---|---|---|")
    results = [(manifest, compare(manifest, options, figures[pathlib.Path(manifest).stem])) for manifest in manifests]
    print()
    for manifest, (_, details) in results:
        for cause, count in sorted(details.items()):
            print(f"* {pathlib.Path(manifest).stem}: {count} larger, {cause}")
    return 1 if any(unexplained for _, (unexplained, _) in results) else 0


if __name__ == "__main__":
    options = [argument for argument in sys.argv[1:] if argument.startswith("-")]
    names = [argument for argument in sys.argv[1:] if not argument.startswith("-")]
    if len(names) < 2 or options not in ([], ["-O3"]):
        sys.exit(__doc__)
    sys.exit(main(options, *names))
