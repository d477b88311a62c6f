#!/usr/bin/env python3
"""Links with one seeded fault after the other and proves what came out: nothing may be proved that draws differently.

usage: tests/prove/faults.py VARYLINK_WITH_FAULTS [--faults a,b] [--generated FILE] [--varylink FILE] [-O LEVEL]

VARYLINK_WITH_FAULTS is a build with -DVARYLINK_SEEDED_FAULTS=ON. The pipelines are the cases under tests/pipelines and,
with --generated, those of `fuzz_pipelines --print`. Of each fault those pipelines count whose linked modules are others
than without it. They are proved against the original by --varylink (default: the same program, without a fault), and
those that are proved are drawn. Cases are linked with the options that they name, besides -O, -e, --passes, --fuel and
--spec. Results that checks of the linker refuse are not written. Prints a table; exit status 1 if something is proved that draws something else. A proof may
rely on values that the original leaves undefined: any picture is right then, and such a pipeline has a column of its own.
"""
import argparse
import collections
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

from cases import pipelines, write_manifest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


def fault_names():
    names = set()
    for path in sorted((ROOT / "src").rglob("*.cpp")):
        names.update(re.findall(r'seeded_fault\("([a-z0-9-]+)"\)', path.read_text(encoding="utf-8")))
    return sorted(names)


def run(*command, fault=None):
    environment = {key: value for key, value in os.environ.items() if key != "VARYLINK_FAULT"}
    if fault:
        environment["VARYLINK_FAULT"] = fault
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, errors="replace", check=False,
                          env=environment)


def modules(folder, entry):
    paths = [folder / entry["name"] / f"{stage}.spv" for stage in entry["stages"]]
    return [path.read_bytes() for path in paths] if all(path.exists() for path in paths) else None


def by_options(entries):
    groups = collections.defaultdict(list)
    for entry in entries:
        groups[entry["options"]].append(entry)
    return groups.items()


def link(program, entries, level, out, fault=None):
    for options, group in by_options(entries):
        manifest = write_manifest(out.parent / "link.jsonl", group)
        run(program, "link", "-q", level, *options, "--manifest", manifest, "-o", out, fault=fault)


def verdicts(program, level, entries, folder):
    found = {}
    for options, group in by_options(entries):
        manifest = write_manifest(folder.parent / "prove.jsonl", group)
        target = [word for word in options if word.startswith("--target-env")]
        answer = run(program, "prove", "--json", level, *target, "--manifest", manifest, "--against", folder).stdout
        found.update({record["name"]: record for record in json.loads(answer or "[]")})
    return found


def check_fault(fault, arguments, entries, right, scratch):
    """(verdicts, names of what is proved and draws something else, names of those where undefined values allow that)."""
    wrong = scratch / fault
    link(arguments.program, entries, arguments.level, wrong, fault)
    changed = [entry for entry in entries if modules(wrong, entry) not in (None, right[entry["name"]])]
    counts = collections.Counter()
    counts["refused"] = sum(right[entry["name"]] is not None and modules(wrong, entry) is None for entry in entries)
    if not changed:
        return counts, [], []
    found = verdicts(arguments.varylink, arguments.level, changed, wrong)
    counts.update(record["verdict"] for record in found.values())
    bad, undefined = [], []
    for entry in changed:
        if found.get(entry["name"], {}).get("verdict") != "proved":
            continue
        one = write_manifest(scratch / "one.jsonl", [entry])
        if run(arguments.varylink, "verify", "--manifest", one, "--against", wrong).returncode == 6:
            (undefined if found[entry["name"]]["relies_on_undefined"] else bad).append(entry["name"])
    return counts, bad, undefined


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("--faults", help="only these, separated by commas")
    parser.add_argument("--generated", type=pathlib.Path)
    parser.add_argument("--varylink", type=pathlib.Path)
    parser.add_argument("-O", dest="level", choices=("1", "2"), default="2")
    arguments = parser.parse_args()
    arguments.varylink = arguments.varylink or arguments.program
    arguments.level = f"-O{arguments.level}"
    failed = False
    with tempfile.TemporaryDirectory() as name:
        scratch = pathlib.Path(name)
        entries = pipelines(scratch, arguments.generated)
        link(arguments.program, entries, arguments.level, scratch / "right")
        right = {entry["name"]: modules(scratch / "right", entry) for entry in entries}
        print("| fault | not written | linked to something else | refuted | not proved | proved, same picture "
              "| proved, undefined picture | proved, other picture |\n|---|---|---|---|---|---|---|---|")
        for fault in arguments.faults.split(",") if arguments.faults else fault_names():
            counts, bad, undefined = check_fault(fault, arguments, entries, right, scratch)
            changed = sum(counts.values()) - counts["refused"]
            print(f"| {fault} | {counts['refused']} | {changed} | {counts['refuted']} | {counts['not proved']} | "
                  f"{counts['proved'] - len(bad) - len(undefined)} | {', '.join(undefined) or 0} | {', '.join(bad) or 0} |",
                  flush=True)
            failed = failed or bool(bad)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
