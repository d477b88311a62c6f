#!/usr/bin/env python3
"""Prints what each --share policy makes of the six pipelines of samples/shared.jsonl, as a Markdown table.

usage: share_table.py [FOLDER]     results go into FOLDER (default: out); `varylink` is taken from PATH
"""
import json
import pathlib
import subprocess
import sys

POLICIES = ("specialize", "cluster --max-variants 3", "cluster --max-variants 2", "union")
MANIFEST = pathlib.Path(__file__).parent / "shared.jsonl"


def report_of(policy, folder):
    report = f"{folder}/report.json"
    subprocess.run(["varylink", "link", "--manifest", MANIFEST, "--share", *policy.split(), "-o", folder, "--report",
                    report, "-q"], check=True)
    return json.loads(pathlib.Path(report).read_text(encoding="utf-8"))


def row_of(policy, report):
    variants = [(module["stage"], variant) for module in report["modules"] for variant in module["variants"]]
    vertex = [variant["bytes"] for stage, variant in variants if stage == "vert"]
    components = [pipeline["interfaces"][0]["after"]["components"] for pipeline in report["pipelines"]]
    return [f"`{policy}`", len(vertex), sum(vertex), sum(variant["bytes"] for _, variant in variants),
            " / ".join(map(str, components)), sum(components)]


def main():
    folder = sys.argv[1] if len(sys.argv) > 1 else "out"
    rows = [(policy, report_of(policy, folder)) for policy in POLICIES]
    names = " / ".join(pipeline["name"] for pipeline in rows[0][1]["pipelines"])
    head = ["policy", "vertex variants", "bytes of vertex modules", "bytes of all modules", f"components, {names}", "sum"]
    for cells in (head, ["---"] * len(head), *(row_of(policy, report) for policy, report in rows)):
        print("| " + " | ".join(map(str, cells)) + " |")


if __name__ == "__main__":
    main()
