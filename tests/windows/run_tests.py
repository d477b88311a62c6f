#!/usr/bin/env python3
"""Runs the tests of a build for Windows under Wine, counts them, and accounts for those that it leaves out.

usage: run_tests.py BUILD [LINUX_BUILD]

BUILD was made with tools/windows/toolchain.cmake. With LINUX_BUILD, a build with tests for this machine, every test
that CTest knows there is either run here or stands in left_out.txt. Exit status 1 if a test fails, or if a line of
left_out.txt names no test.
"""
import ast
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

HERE = pathlib.Path(__file__).resolve().parent
# Catch2 programs are one test each here, and one test for each TEST_CASE where programs start faster.
# Versions of CMake differ in whether they keep the space behind a prefix.
PROGRAMS = {"unit:": "unit_tests", "check:": "check_tests", "render:": "render_tests"}
COUNTS = (
    re.compile(r"All tests passed \(\d+ assertions? in (\d+) test cases?\)"),
    re.compile(r"test cases:\s*(\d+) \|"),
    re.compile(r"^Ran (\d+) tests? in ", re.MULTILINE),
)


def left_out():
    """(test of CTest, part of it or "", reason) for each line of the list"""
    lines = (HERE / "left_out.txt").read_text(encoding="utf-8").splitlines()
    return [tuple(field.strip() for field in line.split("|", 2)) for line in lines if line and not line.startswith("#")]


def known_tests(build):
    listed = subprocess.run(["ctest", "--test-dir", build, "--show-only=json-v1"], check=True, capture_output=True)
    # A Catch2 program that is not built is one test.
    return [test["name"].partition("_NOT_BUILT")[0] for test in json.loads(listed.stdout)["tests"]]


def part_exists(test, part):
    """True if the Python program of a test has the method "Class.method"."""
    path = HERE.parent / (test.replace(": ", "/") + ".py")
    owner, _, method = part.partition(".")
    return path.is_file() and any(
        isinstance(node, ast.ClassDef) and node.name == owner and any(getattr(each, "name", "") == method for each in node.body)
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))))


def program_of(test):
    """The test of this build that a test of a build for Linux is a part of."""
    return next((program for start, program in PROGRAMS.items() if test.startswith(start)), test)


def problems_of_the_list(entries, here, linux):
    for test, part, _ in entries:
        if part and not part_exists(test, part):
            yield f"left_out.txt: {test} has no test {part}"
        if not part and test in here and not test.startswith("farms: "):
            yield f"left_out.txt: {test} is run"
        if not part and linux and test not in linux:
            yield f"left_out.txt: no test has the name {test}"
    whole = {test for test, part, _ in entries if not part}
    for test in linux:
        if program_of(test) not in here and test not in whole:
            yield f"{test} is neither run nor in left_out.txt"


def stay_running(build):
    """A program that runs until its standard input is closed. With it Wine starts once, not for each program, and never
    while it is about to end. A program before it waits until Wine has started: others that begin meanwhile may hang."""
    wine = next(line.partition("=")[2] for line in (pathlib.Path(build) / "CMakeCache.txt").read_text().splitlines()
                if line.startswith("CMAKE_HOME_DIRECTORY:")) + "/tools/windows/wine"
    subprocess.run([wine, "cmd.exe", "/c", "exit"], stdin=subprocess.DEVNULL, timeout=300, check=True)
    return subprocess.Popen([wine, "cmd.exe"], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def run(build, log):
    arguments = ["--output-junit", str(log), "--output-on-failure", "--no-tests=error", "-LE", "farms",
                 "--repeat", "after-timeout:2",  # Wine may hang where programs start while the machine is busy
                 "--test-output-size-passed", "1000000", "-j", str(os.cpu_count())]
    return subprocess.run(["ctest", "--test-dir", build, *arguments], check=False).returncode


def summary(log):
    """(tests, those of them that skipped themselves, assertions) over all programs, with a line about each."""
    tests = skipped = assertions = 0
    for case in xml.etree.ElementTree.parse(log).getroot().iter("testcase"):
        output = case.findtext("system-out") or ""
        count = next((int(match.group(1)) for pattern in COUNTS if (match := pattern.search(output))), 1)
        skips = int(match.group(1)) if (match := re.search(r"skipped=(\d+)", output)) else 0
        if case.find("skipped") is not None:
            count = skips = 1
        tests, skipped = tests + count, skipped + skips
        assertions += sum(int(match) for match in re.findall(r"\((\d+) assertions? in", output))
        print(f"{count:6} {case.get('name')}" + (f" ({skips} skipped)" if skips else ""))
    return tests, skipped, assertions


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    entries, here = left_out(), known_tests(sys.argv[1])
    linux = known_tests(sys.argv[2]) if len(sys.argv) == 3 else []
    problems = list(problems_of_the_list(entries, here, linux))
    print(*problems, sep="\n", end="\n" if problems else "")
    with tempfile.TemporaryDirectory() as scratch:
        log = pathlib.Path(scratch) / "ctest.xml"
        waiting = stay_running(sys.argv[1])
        status = run(sys.argv[1], log)
        waiting.stdin.close()
        waiting.wait()
        tests, skipped, assertions = summary(log)
    print("Left out:")
    for test, part, reason in entries:
        print(f"  {test}{' ' + part if part else ''}: {reason}")
    print(f"Windows under Wine: {tests} tests with {assertions} assertions of C++, {skipped} of them skipped, "
          f"{'all others pass' if status == 0 else 'NOT all others pass'}; {len(entries)} lines of what is left out")
    return 1 if status or problems else 0


if __name__ == "__main__":
    sys.exit(main())
