#!/usr/bin/env python3
"""Holds that each reason in a report has a test that shows it beside its fact.

usage: check_reasons.py [ROOT]

A reason is a literal of SOURCES that starts in the middle of a sentence; it is looked for in cases and tests. NOT_SHOWN are parts of
errors, and reasons that no case can show: of modules that the validator or the checks in front refuse, or that are newer than the
validator.
"""
import pathlib
import re
import sys

SOURCES = (
    "varyings/reflect/interface_variable.cpp", "varyings/reflect/pointer_access.cpp", "varyings/scalarize/scalarize_plan.cpp",
    "varyings/scalarize/loop_indices.cpp", "link/scalarize/scalarize_link.cpp", "driver/link_interfaces.cpp", "driver/interface_records.cpp",
    "driver/open_stage.cpp", "driver/sweeps.cpp", "passes/shrink_task_payload.cpp", "passes/remove_dead_varyings.cpp",
    "passes/propagate_constants.cpp", "passes/propagate_uniforms.cpp", "passes/dedup_outputs.cpp", "passes/inter_stage_code_motion.cpp",
    "passes/share_select_weights.cpp", "passes/eliminate_affine_dependencies.cpp", "passes/pack_16_bit_pairs.cpp",
    "passes/assign_locations.cpp")
NOT_SHOWN = {
    "is not an array although the", "stage has one element per vertex here", "has a vector type that cannot cross a stage interface",
    "has no Location", "a pointer to it is stored", "a pointer to it is passed to a function that cannot be inlined",
    "linkage to other modules", "it is copied as a whole", "the stages declare it differently", "there are several entry points of the",
    "there is no entry point of the", "the whole per-vertex array is accessed at once", "name one of",
    "it is not linked, since what is known of it is not valid", "which does not know", "that stays as it is and is not validated"}
STARTS = re.compile(r"[a-z]")
LITERAL = re.compile(r'"((?:[^"\\]|\\.)*)"')


def reasons(text):
    for line in text.splitlines():
        if line.lstrip().startswith(("//", "#include")) or "seeded_fault" in line:
            continue
        for literal in LITERAL.findall(line):
            words = literal.strip(" ,;:'")
            if len(words.split()) >= 3 and STARTS.match(words):
                yield words


def main():
    root = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else pathlib.Path(__file__).resolve().parent.parent
    tests = [path.read_text(encoding="utf-8", errors="replace") for pattern in ("**/*.case", "cli/*.py", "unit/**/*.cpp")
             for path in (root / "tests").glob(pattern)]
    shown = "\n".join(tests)
    failed, known = False, set()
    for name in SOURCES:
        for reason in reasons((root / "src/core" / name).read_text(encoding="utf-8")):
            known.add(reason)
            if reason not in shown and reason not in NOT_SHOWN:
                print(f"src/core/{name}: no test shows the reason '{reason}'")
                failed = True
    for reason in sorted(NOT_SHOWN - known):
        print(f"tools/check_reasons.py: no source has the reason '{reason}'")
        failed = True
    print("reasons: " + ("failed" if failed else "ok"))
    return failed


if __name__ == "__main__":
    sys.exit(main())
