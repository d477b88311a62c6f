#!/usr/bin/env python3
"""How many pipelines take more instructions than before, stages together.

    bench/worse_pipelines.py [--fragments N] [--band PERCENT] [-v] FIGURES...

FIGURES say what a compiler made of the stages of a set, before and after linking, as in bench/sign_agreement.py: the output of
`varylink measure --json`, or lines "pipeline, stage, figure, before, after" with tabs. A pipeline has the instructions of all its
stages, those of the fragment stage N times (8); less and more is what changed by over PERCENT (2). -v names those with more.
"""
import argparse
import collections

import sign_agreement


def instructions_of(path, fragments):
    """pipeline -> [before, after]"""
    result = collections.defaultdict(lambda: [0, 0])
    for (pipeline, stage), figures in sign_agreement.figures_of(path, "instructions").items():
        for side in range(2):
            result[pipeline][side] += figures[side] * (fragments if stage.startswith("frag") else 1)
    return result


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("figures", nargs="+")
    parser.add_argument("--fragments", type=float, default=8)
    parser.add_argument("--band", type=float, default=2)
    parser.add_argument("-v", action="store_true", dest="verbose")
    arguments = parser.parse_args()
    signs = collections.Counter()
    for path in arguments.figures:
        for pipeline, (before, after) in sorted(instructions_of(path, arguments.fragments).items()):
            change = sign_agreement.sign(before, after, arguments.band)
            signs[change] += 1
            if arguments.verbose and change > 0:
                print("%s: %s" % (pipeline, sign_agreement.percent(before, after)))
    print("%d pipelines: %d less, %d more" % (sum(signs.values()), signs[-1], signs[1]))


if __name__ == "__main__":
    main()
