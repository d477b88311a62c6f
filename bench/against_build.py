#!/usr/bin/env python3
"""Compares what two builds of varylink make of the same pipelines, one by one: components, locations, modelled work.

    bench/against_build.py OLD NEW MANIFEST... [--old OPTIONS] [--new OPTIONS]

OLD and NEW are commands. Both link every manifest, with the options given (default: -O2). What either made is then
measured with the cost model of NEW, at -O0, so that one ruler measures both. Prints for each manifest how many pipelines
end with fewer, as many and more components, and with less, the same and more work; and below that every pipeline with
more of something, under what it has more of:

  components        more components or locations. Where its work is less, that is why: code is traded for components only
                    where the stages do not cost more (docs/legality.md, R-8.7, R-8.10)
  branches          a branch that linking has no business with is a branch still, where OLD made it a selection
  fragment stores   stores to fragment outputs stay in their branches (R-2.12)
  moves less        work that OLD moved to the stage in front stays: what it reads is behind a condition (R-8.4), or could
                    decide a comparison or a texel (R-4.28; not so at -O3)
  fewer components  more work for fewer components
  otherwise         none of these

Exit status 1 if a pipeline has more of both, components and work, or more than 1 % more work under "otherwise".
"""
import argparse
import collections
import json
import pathlib
import subprocess
import sys
import tempfile

FRAGMENTS_PER_VERTEX = 8  # of the profile `generic`
WITHIN = 1e-4  # relative: sums of floats
UNEXPLAINED = 0.01  # relative: work that may be more for no reason that has a name


def run(command, manifest, folder, *options):
    """Name -> pipeline of the report, of the pipelines that were linked."""
    report = folder / "report.json"
    subprocess.run([command, "link", "--manifest", manifest, "-o", str(folder), "--report", str(report), "-q", *options],
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    pipelines = json.loads(report.read_text(encoding="utf-8"))["pipelines"]
    return {each["name"]: each for each in pipelines if each["status"] == "linked"}


def stages_of(manifest):
    """Name -> stages that the pipeline has."""
    lines = pathlib.Path(manifest).read_text(encoding="utf-8").splitlines()
    return {each["name"]: list(each["stages"]) for each in map(json.loads, filter(None, lines))}


def size(pipeline):
    return tuple(sum(each["after"][what] for each in pipeline["interfaces"]) for what in ("components", "locations"))


def measured(command, ruler, manifest, options, folder):
    """Name -> (size, work of all stages, operations by stage)."""
    linked = run(command, manifest, folder, *options)
    stages = stages_of(manifest)
    again = folder / "linked.jsonl"
    again.write_text("".join(
        json.dumps({"name": name, "stages": {stage: str(folder / name / f"{stage}.spv") for stage in stages[name]}}) + "\n"
        for name in linked), encoding="utf-8")
    (folder / "ruler").mkdir()
    result = {}
    for name, pipeline in run(ruler, str(again), folder / "ruler", "-O0").items():
        costs = {each["stage"]: each["cost"]["before"] for each in pipeline["stages"] if "cost" in each}
        work = sum(cost["work"] * (FRAGMENTS_PER_VERTEX if stage == "frag" else 1) for stage, cost in costs.items())
        result[name] = size(linked[name]), work, {stage: cost["operations"] for stage, cost in costs.items()}
    return result


def differences(old, new):
    """By stage: operation -> how many more."""
    result = {}
    for stage, operations in new.items():
        before = old.get(stage, {})
        more = {each: operations.get(each, 0) - before.get(each, 0) for each in set(operations) | set(before)}
        result[stage] = {each: count for each, count in more.items() if count}
    return result


def cause(old, new):
    """What the pipeline has more of, or none."""
    (old_size, old_work, old_operations), (new_size, new_work, new_operations) = old, new
    is_larger = any(b > a for a, b in zip(old_size, new_size))
    is_costlier = new_work > old_work * (1 + WITHIN)
    if is_larger:
        return "both" if is_costlier else "components"
    if not is_costlier:
        return None
    if new_size[0] < old_size[0]:
        return "fewer components"
    more = differences(old_operations, new_operations)
    fragment = more.pop("frag", {})
    if fragment.get("output_store", 0) > 0:
        return "fragment stores"
    if any(each.get("branch", 0) > 0 for each in more.values()):
        return "branches"
    if any(count > 0 for count in fragment.values()) and any(count < 0 for each in more.values() for count in each.values()):
        return "moves less"
    return "otherwise"


def compare(manifest, old, new):
    """Prints what became of one manifest. Returns whether nothing is worse that is not explained."""
    counts = collections.Counter()
    worse = collections.defaultdict(list)
    explained = True
    names = sorted(old.keys() & new.keys())
    for name in names:
        (old_size, old_work, _), (new_size, new_work, _) = old[name], new[name]
        counts["fewer components" if new_size[0] < old_size[0] else "as many" if new_size[0] == old_size[0] else "more"] += 1
        is_less, is_more = new_work < old_work * (1 - WITHIN), new_work > old_work * (1 + WITHIN)
        counts["less work" if is_less else "more work" if is_more else "the same work"] += 1
        what = cause(old[name], new[name])
        explained = explained and what != "both" and (what != "otherwise" or new_work <= old_work * (1 + UNEXPLAINED))
        if what:
            worse[what].append(f"{name}: {old_size[0]} -> {new_size[0]} components, work {new_work / old_work:.3f}")
    sums = ["/".join(str(sum(side[name][0][i] for name in names)) for i in range(2)) for side in (old, new)]
    print(f"{pathlib.Path(manifest).stem}: {len(names)} pipelines, {' -> '.join(sums)},",
          ", ".join(f"{counts[key]} {key}" for key in ("fewer components", "as many", "more", "less work", "the same work",
                                                       "more work")))
    for what, lines in sorted(worse.items()):
        print(f"  {what}: {len(lines)}")
        for line in lines:
            print(f"    {line}")
    sys.stdout.flush()
    return explained


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("commands", nargs=2, metavar="COMMAND")
    parser.add_argument("manifests", nargs="+")
    parser.add_argument("--old", default="-O2", help="options of the first command (default: %(default)s)")
    parser.add_argument("--new", default="-O2", help="options of the second command (default: %(default)s)")
    arguments = parser.parse_args()
    explained = True
    for manifest in arguments.manifests:
        with tempfile.TemporaryDirectory() as folder:
            results = []
            for side, command in zip(("old", "new"), arguments.commands):
                place = pathlib.Path(folder) / side
                place.mkdir()
                options = getattr(arguments, side).split()
                results.append(measured(command, arguments.commands[1], manifest, options, place))
        explained = compare(manifest, *results) and explained
    return 0 if explained else 1


if __name__ == "__main__":
    sys.exit(main())
