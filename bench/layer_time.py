#!/usr/bin/env python3
"""What linking costs inside pipeline creation, beside what a driver's compiler takes: one pipeline at a time, in one process.

    bench/layer_time.py VARYLINK MANIFEST... [--options=-O1 --options=-O2]

`varylink measure` creates every pipeline of a manifest, and the layer links each in front of the driver. Nothing is kept from run
to run: no shader cache of Mesa's, no cache of the layer. Prints for each manifest milliseconds in sum of linking and of the
driver, for the original and the linked modules, and the ratio of linking to compiling the original. The driver is the one that
VK_DRIVER_FILES names; without a GPU, RADV's null device (docs/measure.md).
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile


def times_of(command, manifest, against, options):
    """Milliseconds of linking and of the driver for each pipeline that was created, its first time: measure creates it twice."""
    with tempfile.TemporaryDirectory() as folder:
        report = pathlib.Path(folder) / "report.json"
        env = {**os.environ, "MESA_SHADER_CACHE_DISABLE": "true"}
        run = subprocess.run([command, "run", *options, "-q", "--report", report, "--", command, "measure", "-q",
                              "--manifest", manifest, "--against", against], env=env, capture_output=True, text=True,
                             check=False)
        times = {}
        for each in json.loads(report.read_text(encoding="utf-8"))["pipelines"] if report.exists() else []:
            times.setdefault(each["pipeline"], (each["linkMs"], each["driverMs"]))
        if not times:
            sys.exit(f"{manifest}: no pipelines, exit status {run.returncode}\n{run.stderr}")
        return times


def recorded_options(manifest):
    """What the device took that `varylink run --record` wrote the manifest on."""
    options = pathlib.Path(manifest).parent / "options.txt"
    return [f"@{options}"] if options.exists() else []


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("varylink")
    parser.add_argument("manifests", nargs="+")
    parser.add_argument("--options", action="append", help="of `varylink run`; again: measured too (default: -O1, -O2)")
    arguments = parser.parse_args()
    print("| set | options | pipelines | linking, ms | driver, ms | driver of linked, ms | linking / driver |\n|---|---|---|---|---|---|---|")
    for manifest in arguments.manifests:
        with tempfile.TemporaryDirectory() as against:
            subprocess.run([arguments.varylink, "link", *recorded_options(manifest), "-O0", "-q", "--manifest", manifest, "-o", against],
                           check=False)
            plain = times_of(arguments.varylink, manifest, against, ["--record", f"{against}/recorded"])
            driver = sum(ms for _, ms in plain.values())
            for options in arguments.options or ["-O1", "-O2"]:
                times = times_of(arguments.varylink, manifest, against, ["--assume-single-pass", *options.split()])
                linking, of_linked = map(sum, zip(*times.values()))
                print(f"| {pathlib.Path(manifest).stem} | `{options}` | {len(times)} | {linking:.0f} | {driver:.0f} "
                      f"| {of_linked:.0f} | {linking / driver:.2f} |", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
