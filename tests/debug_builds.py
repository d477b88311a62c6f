#!/usr/bin/env python3
"""Debug builds are linked like release builds: compiles the GLSL of manifests with -g0, -g, -gV and -gVS, links all of them,
and fails unless code and reports are the same whatever debug information there was, and every validator that takes what came
in takes what comes out.

    tests/debug_builds.py --link "build/release/varylink link" --strip build/release/tests/without_debug
                          [--validator "COMMAND"]... MANIFEST...

A stage of a manifest is GLSL, or SPIR-V with its GLSL beside it in a file of the same name with ".glsl" behind; of other SPIR-V
the GLSL is what spirv-cross makes of it. Pipelines that have a stage without any are counted, not compared. --validator may be
given several times; without it, it is spirv-val, and what the environment variable VARYLINK_SPIRV_VAL names (a newer one). Needs
glslangValidator; pipelines that it does not compile with one kind (that of Debian 12 crashes on some with -gV, and writes ids that
are 0 for others) are counted.
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import shlex
import shutil
import subprocess
import sys
import tempfile

KINDS = ["-g0", "", "-g", "-gV", "-gVS"]
NAMES = ("producer_name", "consumer_name", "name", "reader", "writer")  # of a report, which -g0 takes away
JOBS = os.cpu_count() or 1


def glsl_of(path, stage, scratch):
    beside = path.with_name(path.name + ".glsl")
    if beside.exists():
        return beside
    if path.suffix != ".spv":
        return None if path.suffix == ".spvasm" else path
    made = scratch / f"{len(list(scratch.iterdir()))}.{stage}"
    if not shutil.which("spirv-cross"):
        return None
    run = subprocess.run(["spirv-cross", "--vulkan-semantics", path, "--stage", stage, "--output", made], capture_output=True,
                         check=False)
    return made if run.returncode == 0 else None


def sources(manifest, scratch):
    """The GLSL files by stage of each pipeline, and how many pipelines have not only GLSL."""
    pipelines, left = {}, 0
    scratch.mkdir()
    for line in manifest.read_text(encoding="utf-8").splitlines():
        if not line.strip():
            continue
        entry = json.loads(line)
        files = {stage: glsl_of(manifest.parent / file, stage, scratch) for stage, file in entry["stages"].items()
                 if isinstance(file, str)}
        if len(files) == len(entry["stages"]) and all(files.values()):
            pipelines[entry["name"]] = files
        else:
            left += 1
    return pipelines, left


def compile_stage(job):
    kind, stage, source, out = job
    out.parent.mkdir(parents=True, exist_ok=True)
    run = subprocess.run(["glslangValidator", *([kind] if kind else []), "-V", "--target-env", "vulkan1.3", "-S", stage,
                          "-I" + str(source.parent), "-o", out, source], capture_output=True, check=False)
    return run.returncode == 0


def build(pipelines, kind, folder):
    """A manifest of the pipelines that compile."""
    jobs = [(kind, stage, source, folder / f"{number}.{stage}.spv")
            for number, files in enumerate(pipelines.values()) for stage, source in files.items()]
    with concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
        good = dict(zip([job[3] for job in jobs], pool.map(compile_stage, jobs)))
    manifest = folder / "manifest.jsonl"
    with open(manifest, "w", encoding="utf-8") as file:
        for number, (name, files) in enumerate(pipelines.items()):
            stages = {stage: f"{number}.{stage}.spv" for stage in files}
            if all(good[folder / path] for path in stages.values()):
                file.write(json.dumps({"name": name, "stages": stages}) + "\n")
    return manifest


def link(command, manifest, out):
    report = out.with_suffix(".json")
    subprocess.run([*command, "--manifest", manifest, "-o", out, "--report", report, "-q"], capture_output=True, check=False)
    return {pipeline["name"]: pipeline for pipeline in json.loads(report.read_text(encoding="utf-8"))["pipelines"]}


def said(pipeline, with_names):
    """What a report says of a pipeline but for names of files and, without names of variables, for these."""
    def plain(value):
        if isinstance(value, list):
            return [plain(each) for each in value]
        if isinstance(value, dict):
            return {key: plain(each) for key, each in value.items() if with_names or key not in NAMES}
        return value

    interfaces = plain(pipeline["interfaces"])
    if with_names:
        return pipeline["status"], interfaces
    return pipeline["status"], [(interface["before"], interface["after"]) for interface in interfaces]


def outputs(out, pipeline):
    return sorted((out / pipeline).glob("*.spv"))


def code(strip, files):
    """A digest for each file of what is in it apart from debug information."""
    if not files:
        return []
    run = subprocess.run([strip, *files], capture_output=True, text=True, check=True)
    return [line.split()[0] for line in run.stdout.splitlines()]


def refused(validator, path):
    run = subprocess.run([*validator, "--target-env", "vulkan1.3", path], capture_output=True, text=True, check=False)
    return run.stdout + run.stderr if run.returncode else ""


def inputs(manifest):
    """The files of the pipelines of a manifest that build() wrote, by name and stage."""
    entries = map(json.loads, manifest.read_text(encoding="utf-8").splitlines())
    return {(entry["name"], stage): manifest.parent / file for entry in entries for stage, file in entry["stages"].items()}


def newly_refused(validator, results, names):
    """Results that a validator refuses though it takes what came in, with what it says; and how many came in refused."""
    files = [(path, came[name, path.stem]) for _, out, came in results.values() for name in names for path in outputs(out, name)]
    with concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
        said_of = list(pool.map(lambda pair: refused(validator, pair[0]), files))
    bad = [(path, came, message) for (path, came), message in zip(files, said_of) if message]
    new = [(path, message) for path, came, message in bad if not refused(validator, came)]
    return new, len(bad) - len(new)


def is_broken(validators, files):
    """With -gV, glslang of Debian 12 writes ids that are 0 for some conversions of vectors of bool."""
    return any("Id is 0" in refused(validator, path) for validator in validators[:1] for path in files)


def check(manifest, options, scratch):
    pipelines, left = sources(manifest, scratch / "glsl")
    if not pipelines:
        print(f"{manifest}: nothing to compare: none of its {left} pipelines is GLSL")
        return False
    results, failures, uncompiled = {}, 0, 0
    for kind in KINDS:
        folder = scratch / ("names" if not kind else kind)
        folder.mkdir()
        built = build(pipelines, kind, folder)
        results[kind] = (link(options.link, built, folder / "out"), folder / "out", inputs(built))
    plain, plain_out, _ = results[""]
    for name in plain:
        expected = code(options.strip, outputs(plain_out, name))
        for kind in filter(None, KINDS):
            linked, out, came = results[kind]
            if name not in linked:
                uncompiled += 1
                continue
            if code(options.strip, outputs(out, name)) != expected:
                if is_broken(options.validator, [path for (pipeline, _), path in came.items() if pipeline == name]):
                    uncompiled += 1
                    continue
                print(f"{manifest}: {name}: other code with {kind}")
            elif said(linked[name], kind != "-g0") != said(plain[name], kind != "-g0"):
                print(f"{manifest}: {name}: another report with {kind}")
            else:
                continue
            failures += 1
    came_refused = 0
    for validator in options.validator:
        new, old = newly_refused(validator, results, plain)
        failures, came_refused = failures + len(new), came_refused + old
        for path, message in new:
            print(f"{manifest}: {path.relative_to(scratch)}: {shlex.join(validator)}: {message.strip()}")
    print(f"{manifest}: {len(plain)} pipelines with {', '.join(filter(None, KINDS))}, {len(options.validator)} validators, "
          f"{failures} differences; {left} pipelines are not GLSL, {uncompiled} times glslangValidator failed, {came_refused} modules "
          "are refused as they came")
    return failures == 0 and uncompiled < 2 * len(plain)  # else hardly anything was compared


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--link", required=True, type=shlex.split)
    parser.add_argument("--strip", required=True)
    parser.add_argument("--validator", action="append", type=shlex.split, default=[])
    parser.add_argument("manifests", nargs="+", type=pathlib.Path)
    options = parser.parse_args()
    if not shutil.which("glslangValidator"):
        print("no glslangValidator")
        return 77
    if not options.validator:
        named = ["spirv-val", os.environ.get("VARYLINK_SPIRV_VAL", "")]
        options.validator = [command for command in map(shlex.split, named) if command and shutil.which(command[0])]
    good = True
    for manifest in options.manifests:
        with tempfile.TemporaryDirectory() as scratch:
            good = check(manifest.resolve(), options, pathlib.Path(scratch)) and good
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
