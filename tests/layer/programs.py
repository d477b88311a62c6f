#!/usr/bin/env python3
"""Runs larger programs under the Vulkan layer and prints a line of a table for each: what was linked, and whether they draw the same.

usage: VARYLINK=build/release/varylink tests/layer/programs.py [--piglit] [--record FOLDER] [NAME...]

Without names it runs all programs of program_table.py; --piglit runs some 2,000 shader tests besides, or alone if no name
is given with it, which takes an hour. Programs that are not installed are skipped, and the packages named. Exit status 1 if
a frame or a result differs, with the folder or tests that show it.
"""

import argparse
import pathlib
import sys

import program_runs
from program_table import PROGRAMS

HEADER = ("| program | pipelines | linked | components | locations | frames | the same |\n|---|---|---|---|---|---|---|")


def row(name, sums, count, same):
    """A line of docs/layer.md."""
    sizes = [f"{sums['before', unit]} → {sums['after', unit]}" for unit in ("components", "locations")]
    return f"| {name} | {sums['pipelines']} | {sums['linked']} | {' | '.join(sizes)} | {count} | {same} |"


def say(line):
    print(line, flush=True)


def note(line):
    print(line, file=sys.stderr, flush=True)


def run_program(place, name):
    """False if it draws otherwise or cannot be run."""
    program = PROGRAMS[name]
    if missing := program_runs.missing_packages(program.packages):
        note(f"{name}: skipped, not installed: {', '.join(missing)}")
        return True
    try:
        compared = program_runs.ProgramRun(place, name, program).compare()
    except program_runs.ProgramFailed as failure:
        note(f"{name}: {failure}")
        return False
    say(row(name, program_runs.sum_of([compared.report]), len(compared.plain), compared.same()))
    for reason, count in compared.report["summary"]["reasons"].items():
        note(f"{name}: passed through: {count}  {reason}")
    differ = compared.differ(program.rounding)
    for frame in differ:
        note(f"{name}: {frame} differs by more than {program.rounding} of 255")
    return not differ and len(compared.plain) >= program.least_frames


def record_program(place, name, folder):
    """False if it cannot be run. Of a program that is not installed nothing is written."""
    program = PROGRAMS[name]
    if missing := program_runs.missing_packages(program.packages):
        note(f"{name}: skipped, not installed: {', '.join(missing)}")
        return True
    try:
        program_runs.ProgramRun(place, name, program).record_pipelines(folder / name.replace(" ", "-"))
    except program_runs.ProgramFailed as failure:
        note(f"{name}: {failure}")
        return False
    return True


def run_piglit(place):
    if program_runs.missing_packages(["piglit"]):
        note("piglit: skipped, not installed")
        return True
    tests = program_runs.piglit_tests(is_large=True)
    plain, linked, sums = program_runs.compare_piglit(place, tests, note)
    differ = [test for test in tests if linked[test] != plain[test]]
    say(row("piglit on zink", sums, len(tests), len(tests) - len(differ)))
    return not differ


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(PROGRAMS))
    parser.add_argument("--piglit", action="store_true", help="piglit's shader tests")
    parser.add_argument("--record", type=pathlib.Path, metavar="FOLDER", help="only write what each program creates to FOLDER/NAME/manifest.jsonl")
    arguments = parser.parse_args()
    if unknown := [name for name in arguments.names if name not in PROGRAMS]:
        parser.error(f"no program {unknown[0]}; there are {', '.join(PROGRAMS)}")
    names = arguments.names or ([] if arguments.piglit else list(PROGRAMS))
    with program_runs.Place() as place:
        if arguments.record:
            return 0 if all([record_program(place, name, arguments.record.resolve()) for name in names]) else 1
        say(HEADER)
        good = [run_program(place, name) for name in names]
        if arguments.piglit:
            good.append(run_piglit(place))
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main())
