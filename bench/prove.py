#!/usr/bin/env python3
"""How many linked pipelines are proved, set by set and level by level, and whether wrong ones are.

usage: bench/prove.py [--varylink FILE] [--mutants N] [--seed N] MANIFEST...

Links each manifest at -O1 and -O2, proves the result with `varylink prove`, and prints a table: proved, not proved with
reasons, milliseconds of a proof. With --mutants, N pipelines of each set get some 30 wrong versions each
(tests/prove/mutants.py); those that are proved nevertheless are drawn with `varylink verify`.
Exit status 1 if a mutant is proved that draws something else.
"""
import argparse
import collections
import json
import pathlib
import random
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests" / "prove"))
import mutants  # noqa: E402

MUTANTS_EACH = 30


def run(*command, **options):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False, **options)


def prove(varylink, manifest, linked, level):
    """Verdicts by name, the reasons of those that are not proved, and milliseconds of each proof in order."""
    result = run(varylink, "prove", "--json", "--timing", level, "--manifest", manifest, "--against", linked)
    if result.returncode not in (0, 6, 7):
        sys.exit(f"varylink prove: {result.stderr}")
    records = json.loads(result.stdout)
    return {record["name"]: record["verdict"] for record in records}, collections.Counter(
        record["reason"] for record in records if record["verdict"] != "proved"), sorted(
            record["milliseconds"] for record in records)


def try_mutants(varylink, manifest, linked, count, chance):
    """Prints what is proved and draws something else; returns (mutants, proved, proved and different)."""
    pipelines = [json.loads(line) for line in manifest.read_text().splitlines() if line.strip()]
    pipelines = [entry for entry in pipelines if set(entry["stages"]) == {"vert", "frag"}]
    made = proved = different = 0
    for entry in chance.sample(pipelines, min(count, len(pipelines))):
        originals = [f"{stage}={manifest.parent / file}" for stage, file in entry["stages"].items()]
        with tempfile.TemporaryDirectory() as folder:
            for wrong in entry["stages"]:
                for what, path in mutants.valid_mutants(linked / entry["name"] / f"{wrong}.spv", pathlib.Path(folder), chance,
                                                        MUTANTS_EACH):
                    made += 1
                    files = [f"{stage}={path if stage == wrong else linked / entry['name'] / (stage + '.spv')}"
                             for stage in entry["stages"]]
                    if run(varylink, "prove", *originals, "--against", *files).returncode != 0:
                        continue
                    proved += 1
                    drawn = run(varylink, "verify", *originals, "--against", *files)
                    if drawn.returncode == 6:
                        different += 1
                        print(f"  PROVED, BUT DIFFERENT: {entry['name']}: {wrong}: {what}: {drawn.stdout.strip()}")
    return made, proved, different


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--varylink", default=ROOT / "build/release/varylink", type=pathlib.Path)
    parser.add_argument("--mutants", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("manifests", nargs="+", type=pathlib.Path)
    arguments = parser.parse_args()
    chance, bad = random.Random(arguments.seed), 0
    print("| set | level | pipelines | proved | not proved | ms, median | ms, most |\n|---|---|---|---|---|---|---|")
    for manifest in arguments.manifests:
        for level in ("-O1", "-O2"):
            with tempfile.TemporaryDirectory() as folder:
                linked = pathlib.Path(folder)
                run(arguments.varylink, "link", "-q", level, "--manifest", manifest, "-o", linked)
                verdicts, reasons, times = prove(arguments.varylink, manifest, linked, level)
                proved = sum(verdict == "proved" for verdict in verdicts.values())
                why = "; ".join(f"{count}: {reason}" for reason, count in reasons.most_common()) or "0"
                print(f"| {manifest.stem} | `{level}` | {len(verdicts)} | {proved} | {why} | "
                      f"{times[len(times) // 2]:.1f} | {times[-1]:.0f} |")
                if arguments.mutants and level == "-O2":
                    made, kept, different = try_mutants(arguments.varylink, manifest, linked, arguments.mutants, chance)
                    print(f"  {made} mutants, {kept} proved, of these {different} draw something else")
                    bad += different
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
