#!/usr/bin/env python3
"""Whether the cost model and a GPU's compiler agree on which stages linking made better and which worse.

    bench/sign_agreement.py [--before REPORT] [--figure NAME] [--band PERCENT] [-v] REPORT FIGURES...

REPORT is what `varylink link --manifest SET.jsonl --profile NAME --report REPORT` wrote: each stage has its modelled
`work` before and after. A % in it stands for the set, which is FIGURES' name up to the first dot. FIGURES say what a compiler made of both sides: the output of `varylink measure --json`, or, for compilers
that `varylink measure` does not reach, lines "pipeline, stage, figure, before, after" with tabs, where `stage` is vert,
tesc, tese, geom or frag.

A driver that links varyings itself does not see what the original's stages cost apart. For such a driver the model is
asked about what is left after the same steps: --before is the report of a run with only those
(`--passes remove-dead-varyings,propagate-constants,dedup-outputs`, for instance), whose `after` counts as before.

A change is +, - or 0; 0 is anything within --band percent (1) of what it was before. Counted are the stages of which the model's
or the compiler's figure changed at all, with these shares:

  same sign       model and compiler say the same of +, - and 0
  or close        or they differ, but the two changes are within two percent of the stage: 0.9 % is no contradiction to 1.2 %
  opposite        one says better and the other worse
  moved           same sign, of those stages of which the compiler's figure changed by more than the band

The last line is for all FIGURES together. -v lists the stages that are neither of one sign nor close.
"""
import argparse
import json
import pathlib

CLOSE = 0.02

STATISTICS = {"instructions": ("Instructions", "Instruction Count", "Instruction count"),
              "cycles": ("Inverse Throughput", "Cycles", "cycles")}


def figures_of(path, figure):
    """(pipeline, stage) -> (before, after)"""
    text = pathlib.Path(path).read_text(encoding="utf-8")
    if not text.startswith("{"):
        rows = (line.split("\t") for line in text.splitlines() if line)
        return {(name, stage): (float(before), float(after)) for name, stage, what, before, after in rows if what == figure}
    result = {}
    for pipeline in json.loads(text)["pipelines"]:
        sides = []
        for side in ("before", "after"):
            # Executables of stages that the driver merges stand under all of them: there is no telling them apart.
            sides.append({executable["stages"][0]: executable["statistics"] for executable in pipeline.get(side) or []
                          if len(executable["stages"]) == 1})
        for stage in sides[0].keys() & sides[1].keys():
            for name in STATISTICS.get(figure, (figure,)):
                if name in sides[0][stage] and name in sides[1][stage]:
                    result[pipeline["name"], stage] = (sides[0][stage][name], sides[1][stage][name])
    return result


def path_of_set(pattern, figures):
    return pattern.replace("%", pathlib.Path(figures).name.split(".")[0])


def costs_of(path):
    """(pipeline, stage) -> {"before": ..., "after": ...}"""
    report = json.loads(pathlib.Path(path).read_text(encoding="utf-8"))
    return {(pipeline["name"], stage["stage"]): stage["cost"] for pipeline in report["pipelines"]
            if pipeline["status"] == "linked" for stage in pipeline["stages"] if "cost" in stage}


def sign(before, after, band):
    change = after - before
    return 0 if abs(change) <= band / 100 * before else 1 if change > 0 else -1


def percent(before, after):
    return "%g -> %g (%+.1f %%)" % (before, after, 100 * (after - before) / before if before else 0)


def compare(costs, linked_by_driver, figures, band):
    """The changed stages: [(key, modelled (before, after), measured (before, after), modelled sign, measured sign)]"""
    rows = []
    for key, measured in sorted(figures.items()):
        if key not in costs:
            continue
        before = linked_by_driver[key]["after"] if key in linked_by_driver else costs[key]["before"]
        modelled = (before["work"], costs[key]["after"]["work"])
        if modelled[0] != modelled[1] or measured[0] != measured[1]:
            rows.append((key, modelled, measured, sign(*modelled, band), sign(*measured, band)))
    return rows


def relative(before_after):
    before, after = before_after
    return (after - before) / before if before else 0


def agrees(row):
    return row[3] == row[4]


def is_close(row):
    return agrees(row) or abs(relative(row[1]) - relative(row[2])) <= CLOSE


def share(rows, counts):
    return "%d of %d (%.1f %%)" % (sum(map(counts, rows)), len(rows), 100 * sum(map(counts, rows)) / max(1, len(rows)))


def line(name, rows):
    return "%s: same sign %s, or close %s, opposite %d; moved %s" % (
        name, share(rows, agrees), share(rows, is_close), sum(row[3] * row[4] < 0 for row in rows),
        share([row for row in rows if row[4] != 0], agrees))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("report")
    parser.add_argument("figures", nargs="+")
    parser.add_argument("--before")
    parser.add_argument("--figure", default="instructions")
    parser.add_argument("--band", type=float, default=1)
    parser.add_argument("-v", action="store_true", dest="verbose")
    arguments = parser.parse_args()
    everything = []
    for path in arguments.figures:
        report = path_of_set(arguments.report, path)
        before = costs_of(path_of_set(arguments.before, path)) if arguments.before else {}
        rows = compare(costs_of(report), before, figures_of(path, arguments.figure), arguments.band)
        print(line(path, rows))
        everything += rows
        for key, modelled, measured, *_ in (row for row in rows if arguments.verbose and not is_close(row)):
            print("  %s %s: model %s, compiler %s" % (*key, percent(*modelled), percent(*measured)))
    print(line("all", everything))


if __name__ == "__main__":
    main()
