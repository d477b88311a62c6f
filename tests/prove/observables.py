#!/usr/bin/env python3
"""Changes every observable of docs/proof.md in linked pipelines, one at a time: nothing that differs may be proved.

usage: tests/prove/observables.py VARYLINK GRAMMAR [--cases N] [--verbose]

VARYLINK is the command, GRAMMAR is spirv.core.grammar.json of SPIRV-Headers. The table of docs/proof.md names what is compared.
The pipelines under tests/prove/observed have each of them where it shows: none of their valid mutants may be proved, but those
that `;; same:` names by a regular expression. They are joined by the samples and N pipelines of tests/pipelines, where a decoration may stand at something that nothing
depends on: their mutants that are proved are drawn, where there is a Vulkan driver, and have to draw the same. Exit
status 1 if one is proved and differs, or if something of the table was not changed in any pipeline.
"""
import argparse
import collections
import hashlib
import json
import pathlib
import random
import re
import subprocess
import sys
import tempfile

from cases import pipelines, write_case, write_manifest
import modules

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
KINDS = {"decoration": "Decoration", "execution mode": "ExecutionMode", "built-in": "BuiltIn"}
EACH = 24  # mutants of a pipeline that is not one of tests/prove/observed
BUDGET = 200_000  # steps for each proof: a case that is meant to be large must not take the time of all others


def run(*command):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, errors="replace", check=False)


def table():
    """By kind of the grammar: names that are compared, and those that are permissions."""
    found = {"compared": collections.defaultdict(list), "permission": collections.defaultdict(list)}
    for line in (ROOT / "docs/proof.md").read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if len(cells) == 5 and cells[0] in KINDS and cells[2] in found:
            found[cells[2]][KINDS[cells[0]]] += re.findall(r"`(\w+)`", cells[1])
    return found


def numbers(grammar):
    """By kind and name."""
    kinds = {kind["kind"]: kind for kind in json.loads(grammar.read_text(encoding="utf-8"))["operand_kinds"]}
    return {kind: {each["enumerant"]: each["value"] for each in kinds[kind]["enumerants"]} for kind in KINDS.values()}


def observed(folder):
    entries = []
    for path in sorted((ROOT / "tests/prove/observed").glob("*.case")):
        entry = write_case(path.read_text(encoding="utf-8"), f"observed-{path.stem}", folder)
        if entry is None:
            sys.exit(f"{path}: is no pipeline")
        entry["same"] = re.findall(r"^;; same: (.*)$", path.read_text(encoding="utf-8"), re.M)
        entries.append(entry)
    return entries


def samples():
    entries = []
    for line in (ROOT / "samples/pipelines.jsonl").read_text(encoding="utf-8").splitlines():
        entry = json.loads(line)
        stages = {stage: str(ROOT / "samples" / path) for stage, path in entry["stages"].items()}
        if set(entry) <= {"name", "stages"}:
            entries.append({"name": f"sample-{entry['name']}", "stages": stages, "state": {}, "options": ()})
    return entries


def chosen(entries, count):
    """By their names, so that a new case takes the place of one at most."""
    return sorted(entries, key=lambda entry: hashlib.sha256(entry["name"].encode()).digest())[:count]


def link(program, entries, level, out):
    """The entries that were linked, with the files of the result as stages."""
    for options in sorted({entry["options"] for entry in entries}):
        group = [entry for entry in entries if entry["options"] == options]
        manifest = write_manifest(out.parent / f"{out.name}.jsonl", group)
        run(program, "link", "-q", level, *options, "--manifest", manifest, "-o", out)
    linked = []
    for entry in entries:
        stages = {stage: out / entry["name"] / f"{stage}.spv" for stage in entry["stages"]}
        if all(path.exists() for path in stages.values()):
            linked.append(dict(entry, stages=stages))
    return linked


def before_fragments(entry, stage):
    stages = [each for each in ("vert", "tesc", "tese", "geom", "task", "mesh") if each in entry["stages"]]
    return bool(stages) and stage == stages[-1]


class Trial:
    """The mutants of some linked pipelines, proved together."""

    def __init__(self, program, scratch):
        self.program, self.folder, self.manifest = program, scratch / "mutants", scratch / "mutants.jsonl"
        self.entries, self.what = [], {}

    def add(self, original, linked, stage, words, what):
        name = f"{original['name']}-{len(self.entries)}"
        (self.folder / name).mkdir(parents=True)
        for each, path in linked["stages"].items():
            target = self.folder / name / f"{each}.spv"
            if each == stage:
                target.write_bytes(words)
            else:
                target.symlink_to(path)
        stages = {each: str(path) for each, path in original["stages"].items()}
        self.entries.append({"name": name, "stages": stages, "state": original["state"]})
        self.what[name] = (what, stage)

    def proved(self):
        write_manifest(self.manifest, self.entries)
        answer = run(self.program, "prove", "--json", "--budget", BUDGET, "--manifest", self.manifest,
                     "--against", self.folder)
        if answer.returncode not in (0, 3, 6, 7):  # 3: a mutant is damaged
            sys.exit(f"varylink prove: {answer.stderr}")
        names = {record["name"] for record in json.loads(answer.stdout) if record["verdict"] == "proved"}
        return [entry for entry in self.entries if entry["name"] in names]

    def is_valid(self, entry):
        path = self.folder / entry["name"] / f"{self.what[entry['name']][1]}.spv"
        return run("spirv-val", "--target-env", "vulkan1.3", path).returncode == 0

    def is_same(self, entry, same):
        what, stage = self.what[entry["name"]]
        return any(re.search(each, f"{stage}: {what}") for each in same[entry["name"].rpartition("-")[0]])

    def draws_something_else(self, entry):
        one = write_manifest(self.manifest.with_name("one.jsonl"), [entry])
        return run(self.program, "verify", "--manifest", one, "--against", self.folder).returncode == 6


def mutate(trial, mutator, originals, linked, limit):
    """Adds mutants of linked pipelines; how many each name of the table got."""
    counts = collections.Counter()
    by_name = {entry["name"]: entry for entry in originals}
    for entry in linked:
        for stage, path in entry["stages"].items():  # other words that say the same: has to be proved
            trial.add(by_name[entry["name"]], entry, stage, modules.Module(path.read_bytes()).again(), None)
        found = [(stage, name, what, words) for stage, path in entry["stages"].items()
                 for name, what, words in mutator.mutants(path.read_bytes(), stage, before_fragments(entry, stage))]
        if limit:
            random.Random(entry["name"]).shuffle(found)
        for stage, name, what, words in found[:limit]:
            trial.add(by_name[entry["name"]], entry, stage, words, what)
            counts[name] += 1
    return counts


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("grammar", type=pathlib.Path)
    parser.add_argument("--cases", type=int, default=40)
    parser.add_argument("--verbose", action="store_true")
    arguments = parser.parse_args()
    listed = table()
    mutator = modules.Mutator(numbers(arguments.grammar), listed)
    failed = False
    with tempfile.TemporaryDirectory() as name:
        scratch = pathlib.Path(name)
        others = [entry for entry in pipelines(scratch) if not entry["options"]]
        counts = collections.Counter()
        for which, entries, limit in (("observed", observed(scratch), None),
                                      ("other", samples() + chosen(others, arguments.cases), EACH)):
            originals = link(arguments.program, entries, "-O0", scratch / f"{which}-original")
            linked = link(arguments.program, entries, "-O2", scratch / f"{which}-linked")
            (scratch / which).mkdir()
            trial = Trial(arguments.program, scratch / which)
            counts += mutate(trial, mutator, originals, linked, limit)
            found = trial.proved()
            proved = [entry for entry in found if trial.what[entry["name"]][0] and trial.is_valid(entry)]
            kept = {entry["name"] for entry in found}
            lost = [name for name, (what, _) in trial.what.items() if what is None and name not in kept]
            if which == "observed" and lost:
                print(f"{which}: not proved although the same: {' '.join(lost)}")
                failed = True
            same = {entry["name"]: entry.get("same", []) for entry in entries}
            if which == "observed":
                wrong = [entry for entry in proved if not trial.is_same(entry, same)]
            else:
                wrong = [entry for entry in proved if trial.draws_something_else(entry)]
            print(f"{which}: {len(linked)} pipelines, {len(trial.entries)} mutants, {len(proved)} valid and proved, "
                  f"{len(wrong)} of them wrong")
            for entry in proved if arguments.verbose else wrong:
                what, stage = trial.what[entry["name"]]
                print(f"  {entry['name']} {stage}: {what}")
            not_linked = {entry["name"] for entry in entries} - {entry["name"] for entry in linked}
            if which == "observed" and not_linked:
                print(f"{which}: not linked: {' '.join(sorted(not_linked))}")
            failed = failed or bool(wrong) or which == "observed" and bool(not_linked)
    left = [each for kinds in listed.values() for names in kinds.values() for each in names if not counts[each]]
    if left:
        print(f"never changed: {' '.join(left)}")
    return 1 if failed or left else 0


if __name__ == "__main__":
    sys.exit(main())
