#!/usr/bin/env python3
"""How many linked pipelines are proved, set by set and level by level, and whether wrong ones are.

usage: bench/prove.py [--varylink FILE] [--mutants N] [--seed N] MANIFEST...

Links each manifest at -O1 and -O2, proves the result with `varylink prove`, and prints a table: proved, not proved with
reasons, milliseconds of a proof. With --mutants, N pipelines of each set get some 30 wrong versions each
(tests/prove/mutants.py); those that are proved nevertheless are drawn with `varylink verify`. The last rows are those of all sets,
and a table of the wrong versions by what was changed.
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


def try_mutants(varylink, manifest, linked, count, chance, table):
    """Counts in `table`, by what was changed, what was said of mutants; prints what is proved and draws something else."""
    pipelines = [json.loads(line) for line in manifest.read_text().splitlines() if line.strip()]
    for entry in chance.sample(pipelines, min(count, len(pipelines))):
        originals = [f"{stage}={manifest.parent / file}" for stage, file in entry["stages"].items()]
        with tempfile.TemporaryDirectory() as folder:
            for wrong in entry["stages"]:
                for what, path in mutants.valid_mutants(linked / entry["name"] / f"{wrong}.spv", pathlib.Path(folder), chance,
                                                        MUTANTS_EACH):
                    files = [f"{stage}={path if stage == wrong else linked / entry['name'] / (stage + '.spv')}"
                             for stage in entry["stages"]]
                    counts = table[what.partition(":")[0]]
                    status = run(varylink, "prove", *originals, "--against", *files).returncode
                    if status != 0:
                        counts[{6: "refuted", 7: "not proved"}.get(status, "does not fit")] += 1
                        continue
                    drawn = run(varylink, "verify", *originals, "--against", *files)
                    counts[{0: "same", 6: "other"}.get(drawn.returncode, "not drawn")] += 1
                    if drawn.returncode == 6:
                        print(f"  PROVED, BUT DIFFERENT: {entry['name']}: {wrong}: {what}: {drawn.stdout.strip()}")


def print_mutants(table):
    """Returns how many are proved and draw something else."""
    columns = ("refuted", "not proved", "does not fit", "same", "not drawn", "other")
    print("\n| change | mutants | refuted | not proved | stages do not fit | proved, same picture | proved, not drawn "
          "| proved, other picture |\n|---|---|---|---|---|---|---|---|")
    table["together"] = sum(table.values(), collections.Counter())
    for kind, counts in table.items():
        print(f"| {kind} | {sum(counts.values())} | {' | '.join(str(counts[column]) for column in columns)} |")
    return table["together"]["other"]


def print_row(name, level, verdicts, reasons, times):
    proved = sum(verdict == "proved" for verdict in verdicts)
    why = "; ".join(f"{count}: {reason}" for reason, count in reasons.most_common()) or "0"
    print(f"| {name} | `{level}` | {len(verdicts)} | {proved} ({100 * proved / max(1, len(verdicts)):.1f} %) | {why} | "
          f"{times[len(times) // 2]:.1f} | {times[-1]:.0f} |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--varylink", default=ROOT / "build/release/varylink", type=pathlib.Path)
    parser.add_argument("--mutants", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("manifests", nargs="+", type=pathlib.Path)
    arguments = parser.parse_args()
    chance, table = random.Random(arguments.seed), collections.defaultdict(collections.Counter)
    print("| set | level | pipelines | proved | not proved | ms, median | ms, most |\n|---|---|---|---|---|---|---|")
    together = {level: ([], collections.Counter(), []) for level in ("-O1", "-O2")}
    for manifest in arguments.manifests:
        for level in ("-O1", "-O2"):
            with tempfile.TemporaryDirectory() as folder:
                linked = pathlib.Path(folder)
                run(arguments.varylink, "link", "-q", level, "--manifest", manifest, "-o", linked)
                verdicts, reasons, times = prove(arguments.varylink, manifest, linked, level)
                print_row(manifest.stem, level, verdicts.values(), reasons, times)
                for whole, part in zip(together[level], (verdicts.values(), reasons, times)):
                    whole.update(part) if isinstance(whole, collections.Counter) else whole.extend(part)
                if arguments.mutants and level == "-O2":
                    try_mutants(arguments.varylink, manifest, linked, arguments.mutants, chance, table)
    for level, (verdicts, reasons, times) in together.items():
        print_row("all", level, verdicts, reasons, sorted(times))
    return 1 if table and print_mutants(table) else 0


if __name__ == "__main__":
    sys.exit(main())
