#!/usr/bin/env python3
"""What pipeline state wins: links sets of pipelines without and with the state that their sources tell.

    bench/states.py MANIFEST=STATES...     bench/states.py corpus/warzone_vk.jsonl=bench/states/warzone.json
    bench/states.py --each MANIFEST...     each fact alone, said of every pipeline that can have it

A STATES file is a list of {"about": where it is known from, "pipelines": [patterns of names], "state": ...}
(docs/pipeline-state.md). Prints a Markdown table: components and locations over the pipelines that link both ways, and how many of
the results depend on what was said. Nothing may be larger with a fact than without it, else the exit status is 1.

VARYLINK   the command to measure (default: build/release/varylink)
"""
import fnmatch
import json
import os
import pathlib
import subprocess
import sys
import tempfile

from spec_constants import scalars

VARYLINK = os.environ.get("VARYLINK", str(pathlib.Path(__file__).resolve().parents[1] / "build/release/varylink"))
LEVELS = ("-O1", "-O2")


def attributes(form):
    return {"vertexInput": {"attributes": [{"location": location, "format": form} for location in range(16)]}}


# State that any pipeline may have; one that contradicts the shaders makes the pipeline fail, and does not count.
STATES = {
    "one sample": {"rasterizationSamples": 1},
    "four samples": {"rasterizationSamples": 4},
    "filled triangles": {"topology": "TRIANGLE_LIST", "polygonMode": "FILL"},
    "lines": {"topology": "LINE_LIST"},
    "points": {"topology": "POINT_LIST"},
    "one attachment": {"attachments": [{}]},
    "no attachment": {"attachments": [], "alphaToCoverageEnable": False},
    "two bytes between 0 and 1": attributes("R8G8_UNORM"),
    "one float": attributes("R32_SFLOAT"),
    "three halves": attributes("R16G16B16_SFLOAT"),
    "per instance": {"instanceRateAttributes": list(range(1, 16))},
    "no views": {"viewMask": 0},
    "patches of 3": {"patchControlPoints": 3},
    "nothing rasterized": {"rasterizerDiscardEnable": True},
}


def read(manifest):
    """The lines of a manifest, with paths that hold from everywhere."""
    folder = pathlib.Path(manifest).resolve().parent
    for line in pathlib.Path(manifest).read_text(encoding="utf-8").splitlines():
        pipeline = json.loads(line)
        pipeline["stages"] = {stage: str(folder / file) for stage, file in pipeline["stages"].items()}
        yield pipeline


def with_state(state):
    return lambda pipeline: {**pipeline, "state": state}


def with_constants(which):
    """The pipeline with values for its specialization constants; None if it has none."""
    def said(pipeline):
        values = {stage: {str(number): pair[which] for number, pair in scalars(file).items()}
                  for stage, file in pipeline["stages"].items()}
        if not any(values.values()):
            return None
        return {**pipeline, "stages": {stage: {"file": file, "specialization": values[stage]}
                                       for stage, file in pipeline["stages"].items()}}
    return said


FACTS = {name: with_state(state) for name, state in STATES.items()} | {
    "constants have their defaults": with_constants(0),
    "constants have other values": with_constants(1),
}


def linked(pipelines, level):
    """By name the pipelines of the report that linked."""
    if not pipelines:
        return {}
    with tempfile.TemporaryDirectory() as folder:
        manifest, report = pathlib.Path(folder, "m.jsonl"), pathlib.Path(folder, "r.json")
        manifest.write_text("".join(json.dumps(pipeline) + "\n" for pipeline in pipelines), encoding="utf-8")
        subprocess.run([VARYLINK, "link", "-q", level, "--manifest", manifest, "--report", report], stderr=subprocess.DEVNULL, check=False)
        return {pipeline["name"]: pipeline for pipeline in json.loads(report.read_text(encoding="utf-8"))["pipelines"]
                if pipeline["status"] == "linked"}


def size(pipeline, which="after"):
    return [sum(interface[which][what] for interface in pipeline["interfaces"]) for what in ("components", "locations")]


def larger(with_fact, without):
    """An interface may be gone together with its fragment stage."""
    return any(after > before for after, before in zip(size(with_fact), size(without)))


class Row:
    """Sums over the pipelines that link in all runs."""

    def __init__(self, pipelines, say):
        pairs = [(pipeline, say(pipeline)) for pipeline in pipelines]
        plain, said = ([pair[i] for pair in pairs if pair[1] is not None] for i in (0, 1))
        runs = {level: (linked(plain, level), linked(said, level)) for level in LEVELS}
        names = set.intersection(*(set(run) for pair in runs.values() for run in pair))
        self.count, self.worse, self.cells = len(names), [], []
        for level, (without, with_fact) in runs.items():
            if level == LEVELS[0]:
                self.cells.append(self.sums([size(without[name], "before") for name in names]))
            self.cells += [self.sums([size(run[name]) for name in names]) for run in (without, with_fact)]
            self.worse += [f"{name} {level}: {size(without[name])} -> {size(with_fact[name])}" for name in sorted(names)
                           if larger(with_fact[name], without[name])]
        last = runs[LEVELS[-1]][1]
        self.used = sum("assumes" in last[name] for name in names)

    @staticmethod
    def sums(sizes):
        return "{} / {}".format(*(sum(column) for column in zip(*sizes))) if sizes else "-"


def rows_of(arguments):
    if arguments[0] == "--each":
        pipelines = {manifest: list(read(manifest)) for manifest in arguments[1:]}
        for fact, say in FACTS.items():
            for manifest, each in pipelines.items():
                yield f"{pathlib.Path(manifest).stem}: {fact}", each, say
        return
    for argument in arguments:
        manifest, file = argument.split("=", 1)
        told = json.loads(pathlib.Path(file).read_text(encoding="utf-8"))
        pipelines = list(read(manifest))
        states = {pipeline["name"]: entry["state"] for entry in reversed(told) for pipeline in pipelines
                  if any(fnmatch.fnmatchcase(pipeline["name"], pattern) for pattern in entry["pipelines"])}
        yield pathlib.Path(manifest).stem, pipelines, lambda pipeline: (
            {**pipeline, "state": states[pipeline["name"]]} if pipeline["name"] in states else None)


def main(arguments):
    if not arguments or arguments[0] in ("-h", "--help"):
        sys.exit(__doc__)
    print("| set | pipelines | input | -O1 | with state | -O2 | with state | depend on it |")
    print("|---|---|---|---|---|---|---|---|")
    worse = []
    for name, pipelines, say in rows_of(arguments):
        row = Row(pipelines, say)
        print(f"| {name} | {row.count} | {' | '.join(row.cells)} | {row.used} |", flush=True)
        worse += [f"{name}: {each}" for each in row.worse]
    for each in worse:
        print("larger with state:", each)
    print(f"{len(worse)} larger with state than without")
    return 1 if worse else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
