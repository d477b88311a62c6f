#!/usr/bin/env python3
"""Links manifests and fails if other tools take a stage as it was but not as it came out.

    tests/portability.py "build/release/varylink link -O2" samples/pipelines.jsonl ...

Every stage goes through spirv-cross to GLSL, HLSL and Metal, before and after linking. GLSL goes on to glslang
(glslangValidator, from the package glslang-tools, as spirv-cross is from spirv-cross); of HLSL the semantics are compared,
since two inputs with one semantic are what its compilers refuse. The command is split into words and gets
`--manifest M -o OUT` appended. Needs both tools on the path; exit status 77 without them.
"""
import concurrent.futures
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

SKIPPED = 77
LANGUAGES = {"glsl": ["--version", "460", "--vulkan-semantics"], "hlsl": ["--hlsl", "--shader-model", "60"],
             "msl": ["--msl", "--msl-version", "20300"]}


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=120, check=False)
    return done.returncode, done.stdout, (done.stdout + done.stderr).strip()


def repeated_semantic(hlsl):
    """A sentence if a structure has two members with one semantic."""
    for body in re.findall(r"^struct \w+\s*\{(.*?)^\};", hlsl, re.M | re.S):
        semantics = re.findall(r":\s*(\w+);", body)
        for semantic in semantics:
            if semantics.count(semantic) > 1:
                return f"two members have the semantic {semantic}"
    return None


def objection(path, stage, language, scratch):
    """What a tool says against the module in this language; None if it takes it."""
    status, text, message = run("spirv-cross", *LANGUAGES[language], path)
    if status != 0:
        return (message.splitlines() or ["spirv-cross fails"])[-1]
    if language == "hlsl":
        return repeated_semantic(text)
    if language == "glsl":
        source = scratch / f"{abs(hash((str(path), stage)))}.{stage}"
        source.write_text(text, encoding="utf-8")
        status, _, message = run("glslangValidator", "-V", "--target-env", "vulkan1.3", "-o", os.devnull, source)
        if status != 0:
            return next((line for line in message.splitlines() if "ERROR" in line), "glslang refuses it")
    return None


def entries(manifest):
    with open(manifest, encoding="utf-8") as file:
        return [json.loads(line) for line in file if line.strip()]


def compare(before, after, stage, language, scratch):
    """None: not taken before. Else what is said against the result, empty if nothing."""
    if objection(before, stage, language, scratch):
        return None
    return objection(after, stage, language, scratch) or ""


def check(command, manifest, scratch):
    before, after = scratch / "before", scratch / "after"
    run(*command, "-O0", "--manifest", manifest, "-o", before)
    _, _, log = run(*command, "--manifest", manifest, "-o", after)
    tasks = []
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for entry in entries(manifest):
            for stage in entry["stages"]:
                pair = [folder / entry["name"] / f"{stage}.spv" for folder in (before, after)]
                if not all(path.exists() for path in pair):
                    continue
                for language in LANGUAGES:
                    tasks.append((entry["name"], stage, language,
                                  pool.submit(compare, *pair, stage, language, scratch)))
    if not tasks:
        print(f"{manifest}: nothing was linked, so nothing was compared", log, sep="\n")
        return False
    good = True
    for language in LANGUAGES:
        results = [(name, stage, task.result()) for name, stage, of, task in tasks if of == language]
        taken = [one for one in results if one[2] is not None]
        refused = [one for one in taken if one[2]]
        for name, stage, message in refused:
            print(f"{manifest}: {name}: {stage}: {language}: {message}")
        print(f"{manifest}: {language}: {len(taken) - len(refused)} of {len(taken)} stages taken as before, "
              f"{len(results) - len(taken)} not taken before")
        good = good and not refused
    return good


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    missing = [tool for tool in ("spirv-cross", "glslangValidator") if not shutil.which(tool)]
    if missing:
        print("not found:", *missing)
        sys.exit(SKIPPED)
    good = True
    for manifest in sys.argv[2:]:
        with tempfile.TemporaryDirectory() as scratch:
            good = check(shlex.split(sys.argv[1]), manifest, pathlib.Path(scratch)) and good
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
