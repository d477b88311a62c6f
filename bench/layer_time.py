#!/usr/bin/env python3
"""What linking costs inside pipeline creation, beside what a driver's compiler takes: one pipeline at a time, in one process.

    bench/layer_time.py VARYLINK MANIFEST... [--options=-O1 --options="-O2 --assume-single-pass"]

`varylink measure` creates every pipeline of a manifest, and the layer links each in front of the driver. Nothing is kept from run
to run: no shader cache of Mesa's, no cache of the layer. Prints for each manifest milliseconds in sum of linking and of the
driver, for the original and the linked modules, and the ratio of linking to compiling the original; then the same over all
manifests. Of each pipeline the least of several rounds counts. The driver is the one that
VK_DRIVER_FILES names; without a GPU, RADV's null device (docs/measure.md).
"""
import argparse
import collections
import json
import os
import pathlib
import subprocess
import sys
import tempfile

# The layer's own; then what costs nothing for positions.
DEFAULT_OPTIONS = ("-O1", "-O1 --assume-single-pass", "-O2 --assume-single-pass")


def least_times(rounds, *run):
    """Of each pipeline the least that linking took, and the driver."""
    least = {}
    for _ in range(rounds):
        for pipeline, times in times_of(*run).items():
            least[pipeline] = tuple(map(min, times, least.get(pipeline, times)))
    return least


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


def name_of(manifest):
    """`run --record DIR` calls each of its manifests the same."""
    path = pathlib.Path(manifest)
    return path.resolve().parent.name if path.stem == "manifest" else path.stem


def say(name, options, numbers):
    pipelines, linking, driver, of_linked = numbers
    print(f"| {name} | `{options}` | {pipelines} | {linking:.0f} | {driver:.0f} | {of_linked:.0f} | {linking / driver:.2f} |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("varylink")
    parser.add_argument("manifests", nargs="+")
    parser.add_argument("--options", action="append", help="of `varylink run`; again: measured too (default: DEFAULT_OPTIONS)")
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()
    print("| set | options | pipelines | linking, ms | driver, ms | driver of linked, ms | linking / driver |\n|---|---|---|---|---|---|---|")
    sums = collections.defaultdict(lambda: [0, 0, 0, 0])
    for manifest in arguments.manifests:
        with tempfile.TemporaryDirectory() as against:
            subprocess.run([arguments.varylink, "link", *recorded_options(manifest), "-O0", "-q", "--manifest", manifest, "-o", against],
                           check=False)
            plain = least_times(arguments.rounds, arguments.varylink, manifest, against, ["--record", f"{against}/recorded"])
            driver = sum(ms for _, ms in plain.values())
            for options in arguments.options or DEFAULT_OPTIONS:
                times = least_times(arguments.rounds, arguments.varylink, manifest, against, options.split())
                linking, of_linked = map(sum, zip(*times.values()))
                numbers = [len(times), linking, driver, of_linked]
                say(name_of(manifest), options, numbers)
                sums[options] = [a + b for a, b in zip(sums[options], numbers)]
    for options, numbers in sums.items():
        say("all", options, numbers)
    return 0


if __name__ == "__main__":
    sys.exit(main())
