#!/usr/bin/env python3
"""Breaks the linker on purpose, one fault at a time, and shows which test notices and how fast.

usage: mutation_check.py BUILD_DIR [--faults a,b] [--generator] [--seeds A..B] [--seconds N] [--out FILE]
                        [--summary README]

BUILD_DIR must be configured with -DVARYLINK_SEEDED_FAULTS=ON and built. Every fault is named in the sources by
seeded_fault("name") and switched on through the environment variable VARYLINK_FAULT. A fault that no test notices is a
hole in the tests: the exit status is 1 then. Without a fault all tests must pass, or nothing can be concluded.
--summary puts how many faults each test noticed between the two lines of README that say "mutation check".
"""
import argparse
import os
import pathlib
import re
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SUMMARY_START, SUMMARY_END = "<!-- mutation check: written by tools/nightly.sh -->\n", "<!-- end of mutation check -->\n"


def fault_names():
    names = set()
    for path in sorted((ROOT / "src").rglob("*.cpp")):
        names.update(re.findall(r'seeded_fault\("([a-z0-9-]+)"\)', path.read_text(encoding="utf-8")))
    return sorted(names)


def tests_of(build, arguments):
    """(name, command) in the order in which they are tried, cheap ones first."""
    fuzz = [str(build / "tests/fuzz/fuzz_pipelines"), "--seeds", arguments.seeds, "--reduce", "0", "--quiet",
            "--max-failures", "1", "--time-limit", str(arguments.seconds), "--jobs", str(os.cpu_count() or 1),
            "--max-uncovered", "1", "--stages", "all"]
    candidates = [
        ("pipeline cases", [str(build / "tests/pipeline_tests"), "--abort"]),
        ("pass cases", [str(build / "tests/pass_tests"), "--abort"]),
        ("unit tests", [str(build / "tests/unit_tests"), "--abort"]),
        ("generator, no pictures", fuzz + ["--no-verify"]),
        ("generator, pictures", fuzz),
    ]
    if arguments.generator:
        candidates = [("generator", fuzz + ["--runs", "1", "--thorough-every", "16", "--draw-proved-every", "8",
                                            "--proof-budget", "40000"])]
    return [(name, command) for name, command in candidates if pathlib.Path(command[0]).exists()]


def run(command, fault, limit):
    """(failed, seconds, last words of the output)."""
    environment = dict(os.environ)
    environment.pop("VARYLINK_FAULT", None)
    if fault:
        environment["VARYLINK_FAULT"] = fault
    start = time.monotonic()
    try:
        done = subprocess.run(command, env=environment, capture_output=True, text=True, errors="replace", timeout=limit,
                              cwd=ROOT)
    except subprocess.TimeoutExpired:
        return True, time.monotonic() - start, "timed out"
    return done.returncode != 0, time.monotonic() - start, what_failed(done.stdout + done.stderr)


def what_failed(text):
    """The line that says what went wrong, as far as it can be told."""
    for pattern in (r"^seed \d+: (.*)$", r"^(.*FAILED:?)$", r"^(.* error: .*)$"):
        found = re.search(pattern, text, re.MULTILINE)
        if found:
            line = found.group(1)
            return line[:160]
    return text.strip().splitlines()[-1][:160] if text.strip() else ""


def check_fault(fault, tests, all_tests, limit):
    """A row per test that was run, up to the first one that noticed (or all)."""
    rows = []
    for name, command in tests:
        failed, seconds, words = run(command, fault, limit)
        rows.append((name, failed, seconds, words))
        if failed and not all_tests:
            break
    return rows


def summary(noticed_by, unnoticed):
    """Markdown: how many faults each test was the first to notice. `noticed_by` maps a fault to that test."""
    rows = ["| first noticed by | faults |", "|---|---|"]
    for name in dict.fromkeys(noticed_by.values()):
        rows.append(f"| {name} | {sum(1 for test in noticed_by.values() if test == name)} |")
    rows.append(f"| nobody | {len(unnoticed)}{': ' + ', '.join(unnoticed) if unnoticed else ''} |")
    rows.append(f"| together | {len(noticed_by) + len(unnoticed)} |")
    return "\n".join(rows) + "\n"


def commit():
    """The commit that is checked out, and whether it is what was built."""
    git = lambda *words: subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return git("rev-parse", "--short", "HEAD").strip() + (", changed" if git("diff", "HEAD", "--", "src", "tests") else "")


def put_summary(text, table):
    """`text` with the table in the place that is marked for it. ValueError if there is none."""
    start = text.index(SUMMARY_START) + len(SUMMARY_START)
    return text[:start] + "\n" + table + "\n" + text[text.index(SUMMARY_END, start):]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--faults", help="only these, separated by commas")
    parser.add_argument("--generator", action="store_true", help="only the generator, with proofs and pictures")
    parser.add_argument("--seeds", default="1..2000", help="seeds of the generator (default %(default)s)")
    parser.add_argument("--seconds", type=int, default=60, help="for each generator run (default %(default)s)")
    parser.add_argument("--all-tests", action="store_true", help="go on with the other tests when one has noticed")
    parser.add_argument("--out", type=pathlib.Path, help="also write the table to this file (Markdown)")
    parser.add_argument("--summary", type=pathlib.Path, help="file with a marked place for the counts")
    arguments = parser.parse_args()

    tests = tests_of(arguments.build.resolve(), arguments)
    if not tests:
        sys.exit(f"{arguments.build} holds no built tests")
    limit = arguments.seconds * 5 + 300
    noisy = {name for name, failed, _, words in check_fault(None, tests, True, limit) if failed}
    for name in sorted(noisy):
        print(f"{name}: fails without a fault, left out", flush=True)
    tests = [(name, command) for name, command in tests if name not in noisy]

    table = ["| fault | noticed by | after | how |", "|---|---|---|---|"]
    noticed_by, unnoticed = {}, []
    for fault in arguments.faults.split(",") if arguments.faults else fault_names():
        rows = check_fault(fault, tests, arguments.all_tests, limit)
        caught = [row for row in rows if row[1]]
        spent = sum(row[2] for row in rows)
        if caught:
            name, _, _, words = caught[0]
            noticed_by[fault] = name
            others = ", ".join(row[0] for row in caught[1:])
            table.append(f"| {fault} | {name}{'; ' + others if others else ''} | {spent:.1f} s | {words.replace('|', '/')} |")
        else:
            unnoticed.append(fault)
            table.append(f"| {fault} | **nobody** | {spent:.1f} s | |")
        print(table[-1], flush=True)
    if arguments.out:
        arguments.out.write_text("\n".join(table) + "\n", encoding="utf-8")
    if arguments.summary:
        text = arguments.summary.read_text(encoding="utf-8")
        arguments.summary.write_text(put_summary(text, f"At {commit()}:\n\n" + summary(noticed_by, unnoticed)), encoding="utf-8")
    if unnoticed:
        print(f"{len(unnoticed)} faults were not noticed: {', '.join(unnoticed)}")
    return 1 if unnoticed or not tests else 0


if __name__ == "__main__":
    sys.exit(main())
