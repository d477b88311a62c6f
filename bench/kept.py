#!/usr/bin/env python3
"""How much of the originals' code linking leaves as it was.

    bench/kept.py MANIFEST... [-- OPTION...]

Links each set with the OPTIONs and prints a Markdown table: of the instructions of all functions, the share that is still there,
in order (`kept` in the report, docs/report.md), for all stages and for those of the pipeline with the smallest share. What linking
takes away because nobody needs it counts as gone, like anything that it rewrites.

VARYLINK   the command to measure (default: build/release/varylink)
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

VARYLINK = os.environ.get("VARYLINK", str(pathlib.Path(__file__).resolve().parents[1] / "build/release/varylink"))


def pipelines(manifest, options):
    with tempfile.TemporaryDirectory() as folder:
        report = pathlib.Path(folder) / "report.json"
        subprocess.run([VARYLINK, "link", "--manifest", manifest, "--report", str(report), "-q", *options],
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
        return [each for each in json.loads(report.read_text(encoding="utf-8"))["pipelines"] if each["status"] == "linked"]


def share(stages):
    kept, of = (sum(stage["kept"][what] for stage in stages) for what in ("instructions", "of"))
    return 100 * kept / of if of else 100


def row(manifest, options):
    measured = {each["name"]: [stage for stage in each["stages"] if "kept" in stage] for each in pipelines(manifest, options)}
    every = [stage for stages in measured.values() for stage in stages]
    shares = [share([stage for stage in every if stage["stage"] == kind]) for kind in ("vert", "frag")]
    least = min(measured, key=lambda name: share(measured[name]))
    return "| %s | %d | %.1f | %.1f | %.1f | %.1f (%s) |" % (
        pathlib.Path(manifest).stem, len(every), share(every), *shares, share(measured[least]), least)


def main():
    arguments = sys.argv[1:]
    split = arguments.index("--") if "--" in arguments else len(arguments)
    if split == 0 or arguments[0] in ("-h", "--help"):
        sys.exit(__doc__)
    print("| set | stages | kept, % | vertex | fragment | least in a pipeline |\n|---|---|---|---|---|---|")
    for manifest in arguments[:split]:
        print(row(manifest, arguments[split + 1:]), flush=True)


if __name__ == "__main__":
    main()
