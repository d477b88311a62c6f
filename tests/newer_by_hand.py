#!/usr/bin/env python3
"""Links modules of extensions that the installed SPIRV-Tools may not know, and fails if what crosses is not linked.

usage: newer_by_hand.py VARYLINK GRAMMAR [--tools FOLDER] [CASE...]

tests/newer/*.case has the pipelines, as text: GLSL, or assembly (tests/spirv_assembler.py). A case says either which components
its interface has before and after, or why the pipeline is passed through; the bytes are compared then. The other lines are those
of tests/pipelines. Instructions that are newer have to stay, word for word and in order. An installed validator that takes what
comes in has to take what comes out. GRAMMAR is spirv.core.grammar.json. FOLDER has newer SPIRV-Tools than the installed ones, as
those of Debian 13: what their spirv-as takes is assembled by it, and their spirv-val checks.
"""
import argparse
import json
import pathlib
import re
import shlex
import shutil
import struct
import subprocess
import sys
import tempfile

from spirv_assembler import NEWER, NEWER_MODES, NEWER_VALUES, Assembler, instructions

NEWER_OPCODES = {opcode for opcode, _ in NEWER.values()}
NOBODY_KNOWS = 7777
NEWER_NUMBERS = {*NEWER_VALUES.values(), *NEWER_MODES.values(), NOBODY_KNOWS}
WITH_NEWER_VALUES = {16, 17, 71, 332}  # OpExecutionMode, OpCapability, OpDecorate, OpDecorateId
HERE = pathlib.Path(__file__).resolve().parent


def run(*command):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False, timeout=600)
    return done.returncode, done.stdout + done.stderr


def words_of(path):
    data = path.read_bytes()
    return list(struct.unpack(f"<{len(data) // 4}I", data))


def newer_parts(path):
    """The instructions that are newer, and capabilities, modes and decorations that are. Ids are smaller numbers."""
    return [each for each in instructions(words_of(path))
            if each[0] in NEWER_OPCODES or (each[0] in WITH_NEWER_VALUES and NEWER_NUMBERS.intersection(each[1:]))]


class Tools:
    """The validator, and the assembler that is asked first; either may be missing."""

    def __init__(self, folder):
        self.validator = shutil.which("spirv-val", path=folder)
        self.assembler = shutil.which("spirv-as", path=folder) if folder else None
        self.assembled = 0

    def is_valid(self, path):
        """None where there is no validator."""
        return run(self.validator, "--target-env", "vulkan1.3", path)[0] == 0 if self.validator else None

    def assemble(self, text, path):
        """Whether it could. Ids are numbered as they come, as Assembler does."""
        source = path.with_suffix(".spvasm")
        source.write_text(text, encoding="utf-8")
        done = bool(self.assembler) and run(self.assembler, "--target-env", "spv1.5", source, "-o", path)[0] == 0
        self.assembled += done
        return done


def write_stages(text, assembler, tools, folder):
    """Files by stage. Stages of one module are one section: `== vert+frag spvasm`."""
    version = re.search(r"^;; version: (\w+)$", text, re.M)
    files = {}
    for section in re.split(r"^== ", text, flags=re.M)[1:]:
        title, _, body = section.partition("\n")
        stage, _, kind = title.strip().partition(" ")
        if kind == "spvasm":
            path = folder / f"{stage}.spv"
            if version or not tools.assemble(body, path):
                words = assembler.assemble(body, *[int(version[1], 16)] if version else [])
                path.write_bytes(struct.pack(f"<{len(words)}I", *words))
        else:
            path = folder / f"shader.{stage}"
            path.write_text(body, encoding="utf-8")
        files.update(dict.fromkeys(stage.split("+"), path))
    return files


def differences(tools, before, after):
    """What linking may not change of newer modules."""
    wrong = []
    for stage, path in before.items():
        if path.suffix != ".spv":
            continue
        if newer_parts(path) != newer_parts(after[stage]):
            wrong.append(f"{stage}: the newer instructions are not what they were")
        if tools.is_valid(path) and not tools.is_valid(after[stage]):
            wrong.append(f"{stage}: the validator takes what came in, but not what came out")
    return wrong


def link(varylink, stages, folder):
    """What is said, files by stage, and components before and after by interface; without files if it fails."""
    report, manifest = folder.with_suffix(".json"), folder.with_suffix(".jsonl")
    manifest.write_text(json.dumps({"name": "it", "stages": {stage: str(path) for stage, path in stages.items()}}) + "\n",
                        encoding="utf-8")
    status, said = run(*varylink, "link", "-O2", "--manifest", manifest, "-o", folder, "--report", report)
    if status != 0:
        return said.strip(), {}, []
    pipeline = json.loads(report.read_text(encoding="utf-8"))["pipelines"][0]
    return (said.strip(), {each["stage"]: pathlib.Path(each["output"]) for each in pipeline["stages"]},
            [[interface[side]["components"] for side in ("before", "after")] for interface in pipeline.get("interfaces", [])])


def try_case(varylink, assembler, tools, text, folder):
    """What is wrong with it."""
    before = write_stages(text, assembler, tools, folder)
    said, after, found = link(varylink, before, folder / "out")
    if not after:
        return [f"it is not linked: {said}"]
    reason = re.search(r"^;; passed through: (.*)$", text, re.M)
    if reason:
        wrong = [] if reason[1] in said else [f"the reason is another one: {said}"]
        return wrong + [f"{stage}: the bytes differ" for stage, path in before.items()
                        if path.suffix == ".spv" and path.read_bytes() != after[stage].read_bytes()]
    counts = re.search(r"^;; components: (\d+) -> (\d+)$", text, re.M)
    wrong = [] if found == [[int(counts[1]), int(counts[2])]] else [f"components are {found}: {said}"]
    status, checked = run(*varylink, "check", *sorted(set(after.values())))
    if status != 0:
        wrong.append(f"the results do not fit: {checked.strip()}")
    again = link(varylink, after, folder / "again")[1]
    wrong += [f"{stage}: linking again changes it" for stage, path in after.items()
              if stage not in again or path.read_bytes() != again[stage].read_bytes()]
    return wrong + differences(tools, before, after)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("varylink", type=shlex.split)
    parser.add_argument("grammar")
    parser.add_argument("--tools")
    parser.add_argument("cases", nargs="*", type=pathlib.Path)
    options = parser.parse_args()
    assembler, tools = Assembler(options.grammar), Tools(options.tools)
    cases = options.cases or sorted((HERE / "newer").glob("*.case"))
    good = bool(cases)
    with tempfile.TemporaryDirectory() as scratch:
        for case in cases:
            folder = pathlib.Path(scratch) / case.stem
            folder.mkdir()
            wrong = try_case(options.varylink, assembler, tools, case.read_text(encoding="utf-8"), folder)
            print(f"{case.stem}: {'; '.join(wrong) or 'ok'}")
            good = good and not wrong
    if options.tools:
        print(f"{tools.assembled} modules are assembled by {tools.assembler}")
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
