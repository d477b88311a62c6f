#!/usr/bin/env python3
"""Which step of linking makes a GPU's compiler do worse on a stage.

    bench/worse_stages.py [--list] [--worse-than PERCENT] SET,SET,... LABEL=FIGURES LABEL=FIGURES...

FIGURES say what a compiler made of the stages of a set, before and after linking, with % for the name of the set: the output of
`varylink measure --json`, or, for compilers that `varylink measure` does not reach, lines "pipeline, stage, figure, before,
after" with tabs, of which one is worse if it is more than PERCENT (2) more; of `occupancy`, less.

Each LABEL is a way to link, from few passes (`link --passes`) to all of them, the last as users link. A stage that is worse in
the last is put down to the first way from which on it is worse in every one, which is to what that way does and the one in
front of it does not. --list names the stages, and what got worse.
"""
import argparse
import collections
import json
import pathlib

MORE_IS_BETTER = {"occupancy"}


def worse_of_lines(text, percent):
    result = collections.defaultdict(list)
    for pipeline, stage, figure, before, after in (line.split("\t") for line in text.splitlines() if line):
        before, after = float(before), float(after)
        increase = before - after if figure in MORE_IS_BETTER else after - before
        if increase > percent / 100 * before:
            result[pipeline, stage].append("%s %g -> %g" % (figure, before, after))
    return result


def worse_of(path, percent):
    """(pipeline, stage) -> [what got worse, as text]"""
    text = pathlib.Path(path).read_text(encoding="utf-8")
    if not text.startswith("{"):
        return worse_of_lines(text, percent)
    result = {}
    for line in json.loads(text)["worse"]:
        pipeline, stage, figures = line.rsplit(": ", 2)
        result[pipeline, stage] = [figure.removesuffix(" WORSE") for figure in figures.split(", ") if figure.endswith(" WORSE")]
    return result


def causes(ways):
    """ways: [(label, worse)]; -> {(pipeline, stage): label}"""
    result = {}
    for key in ways[-1][1]:
        for label, worse in reversed(ways):
            if key not in worse:
                break
            result[key] = label
    return result


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sets", metavar="SET,SET,...", type=lambda text: text.split(","))
    parser.add_argument("ways", metavar="LABEL=FIGURES", nargs="+", type=lambda text: text.split("=", 1))
    parser.add_argument("--worse-than", type=float, default=2)
    parser.add_argument("--list", action="store_true")
    options = parser.parse_args()
    counts = collections.Counter()
    for name in options.sets:
        ways = [(label, worse_of(figures.replace("%", name), options.worse_than)) for label, figures in options.ways]
        for (pipeline, stage), label in sorted(causes(ways).items()):
            counts[label, stage] += 1
            if options.list:
                print("\t".join((name, pipeline, stage, label, ", ".join(ways[-1][1][pipeline, stage]))))
    stages = sorted({stage for _, stage in counts})
    print("| cause | %s |" % " | ".join(stages))
    print("|---%s|" % ("|---" * len(stages)))
    for label, _ in options.ways:
        print("| %s | %s |" % (label, " | ".join(str(counts[label, stage]) for stage in stages)))


if __name__ == "__main__":
    main()
