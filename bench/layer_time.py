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


def summary_of(command, manifest, against, mode, options):
    """The summary of a run under the layer."""
    with tempfile.TemporaryDirectory() as folder:
        report = pathlib.Path(folder) / "report.json"
        env = {**os.environ, "MESA_SHADER_CACHE_DISABLE": "true", "VK_VARYLINK_LINK_MODE": mode}
        run = subprocess.run([command, "run", *options, "-q", "--report", report, "--", command, "measure", "-q", "-j1",
                              "--manifest", manifest, "--against", against], env=env, capture_output=True, text=True,
                             check=False)
        if not report.exists():
            sys.exit(f"{manifest}: exit status {run.returncode}\n{run.stderr}")
        return json.loads(report.read_text(encoding="utf-8"))["summary"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("varylink")
    parser.add_argument("manifests", nargs="+")
    parser.add_argument("--options", action="append", help="of `varylink run`; again: measured too (default: -O1, -O2)")
    arguments = parser.parse_args()
    print("| set | options | pipelines | linking, ms | driver, ms | driver of linked, ms | linking / driver |\n|---|---|---|---|---|---|---|")
    for manifest in arguments.manifests:
        with tempfile.TemporaryDirectory() as against:
            subprocess.run([arguments.varylink, "link", "-O0", "-q", "--manifest", manifest, "-o", against], check=False)
            plain = summary_of(arguments.varylink, manifest, against, "off", [])
            for options in arguments.options or ["-O1", "-O2"]:
                linked = summary_of(arguments.varylink, manifest, against, "link", ["--assume-single-pass", *options.split()])
                ratio = linked["linkMs"] / plain["driverMs"]
                print(f"| {pathlib.Path(manifest).stem} | `{options}` | {plain['pipelines']} | {linked['linkMs']:.0f} "
                      f"| {plain['driverMs']:.0f} | {linked['driverMs']:.0f} | {ratio:.2f} |", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
