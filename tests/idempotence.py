#!/usr/bin/env python3
"""Links manifests, links what came out again, and fails unless the second time gives the same bytes.

    tests/idempotence.py "build/release/varylink link -O2" samples/pipelines.jsonl ...

The command is split into words and gets `--manifest M -o OUT` appended. Pipelines that cannot be linked are counted, not
compared; a linked pipeline that does not link again is a failure like other bytes.
"""
import json
import pathlib
import shlex
import subprocess
import sys
import tempfile


def link(command, manifest, out):
    run = subprocess.run([*command, "--manifest", manifest, "-o", out], capture_output=True, text=True, errors="replace")
    return (run.stdout + run.stderr).splitlines()[-5:]


def entries(manifest):
    with open(manifest, encoding="utf-8") as file:
        return [json.loads(line) for line in file if line.strip()]


def outputs(folder, entry):
    """The linked stages of a pipeline by stage, empty if it was not linked."""
    paths = {stage: folder / entry["name"] / f"{stage}.spv" for stage in entry["stages"]}
    return paths if all(path.exists() for path in paths.values()) else {}


def check(command, manifest, scratch):
    once, twice = scratch / "once", scratch / "twice"
    log = link(command, manifest, once)
    linked = [(entry, outputs(once, entry)) for entry in entries(manifest)]
    unlinked = sum(not paths for _, paths in linked)
    linked = [(entry, paths) for entry, paths in linked if paths]
    if not linked:
        print(f"{manifest}: nothing was linked, so nothing was compared", *log, sep="\n")
        return False
    again = scratch / "again.jsonl"
    with open(again, "w", encoding="utf-8") as file:
        for entry, paths in linked:
            file.write(json.dumps({**entry, "stages": {stage: str(path) for stage, path in paths.items()}}) + "\n")
    log = link(command, again, twice)
    failed = 0
    for entry, paths in linked:
        second = outputs(twice, entry)
        differ = [stage for stage, path in paths.items() if not second or path.read_bytes() != second[stage].read_bytes()]
        if not differ:
            continue
        failed += 1
        print(f"{manifest}: {entry['name']}: " + (f"other bytes in {', '.join(differ)}" if second else "not linked again"))
    if failed:
        print(*log, sep="\n")
    print(f"{manifest}: {len(linked) - failed} of {len(linked)} pipelines the same the second time, {unlinked} not linked")
    return failed == 0


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    command = shlex.split(sys.argv[1])
    good = True
    for manifest in sys.argv[2:]:
        with tempfile.TemporaryDirectory() as scratch:
            good = check(command, manifest, pathlib.Path(scratch)) and good
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
