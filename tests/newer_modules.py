#!/usr/bin/env python3
"""Makes modules that are newer than the build out of others, and fails if linking breaks them.

usage: newer_modules.py VARYLINK MANIFEST

In all modules of the pipelines one opcode is given a number that SPIR-V does not have, as if a newer version had another
instruction there; then the next one. With its own number again, what was linked has to be valid, to fit together, and to draw
what the original draws, where there is a driver.
"""
import json
import pathlib
import re
import shlex
import struct
import subprocess
import sys
import tempfile

HEADER_WORDS, CAPABILITY, NO_CAPABILITY, ABOVE_ALL = 5, 17, 7777, 20000
OPCODES = {"OpLoad": 61, "OpStore": 62, "OpAccessChain": 65, "OpVectorShuffle": 79, "OpCompositeConstruct": 80,
           "OpCompositeExtract": 81, "OpImageSampleImplicitLod": 87, "OpFAdd": 129, "OpFMul": 133, "OpVectorTimesScalar": 142,
           "OpMatrixTimesVector": 145, "OpDot": 148, "OpExtInst": 12, "OpTypeImage": 25, "OpTypeSampledImage": 27,
           "OpConstant": 43, "OpConstantComposite": 44, "OpFunctionCall": 57, "OpSelectionMerge": 247}


def run(*command):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False, timeout=600)
    return done.returncode, done.stdout + done.stderr


def instructions(words):
    at = HEADER_WORDS
    while at < len(words):
        yield at, words[at] & 0xFFFF, words[at] >> 16
        at += words[at] >> 16


def words_of(path):
    data = path.read_bytes()
    return list(struct.unpack(f"<{len(data) // 4}I", data))


def write(path, words):
    path.write_bytes(struct.pack(f"<{len(words)}I", *words))


def renamed(words, opcode, to):
    words = list(words)
    for at, found, length in list(instructions(words)):
        if found == opcode:
            words[at] = length << 16 | to
    return words


def newer(words, opcode):
    """None where the module has none of these instructions."""
    if all(found != opcode for _, found, _ in instructions(words)):
        return None
    words = renamed(words, opcode, opcode + ABOVE_ALL)
    words[HEADER_WORDS:HEADER_WORDS] = [2 << 16 | CAPABILITY, NO_CAPABILITY]
    return words


def older(words, opcode):
    words = renamed(words, opcode + ABOVE_ALL, opcode)
    for at, found, length in list(instructions(words)):
        if found == CAPABILITY and words[at + 1] == NO_CAPABILITY:
            del words[at:at + length]
            break
    return words


def manifest(path, pipelines):
    path.write_text("".join(json.dumps({"name": name, "stages": {stage: str(file) for stage, file in stages.items()}}) + "\n"
                            for name, stages in sorted(pipelines.items())), encoding="utf-8")
    return path


def link(varylink, level, of, folder):
    report = folder.with_suffix(".json")
    status, text = run(*varylink, "link", level, "--manifest", of, "-o", folder, "--report", report, "-q")
    if status != 0:
        sys.exit(f"linking fails:\n{text}")
    found = json.loads(report.read_text(encoding="utf-8"))
    return {one["name"]: {stage["stage"]: pathlib.Path(stage["output"]) for stage in one["stages"]}
            for one in found["pipelines"]}, {one["name"] for one in found["pipelines"] if one.get("unchecked")}


def try_opcode(varylink, opcode, before, folder):
    """How many pipelines have it, how many of these were linked, and what is wrong."""
    folder.mkdir()
    made = {}
    for name, stages in before.items():
        words = {stage: newer(words_of(path), opcode) for stage, path in stages.items()}
        if not any(words.values()):
            continue
        made[name] = {}
        for stage, path in stages.items():
            made[name][stage] = folder / f"{name.replace('/', '_')}.{stage}.spv"
            write(made[name][stage], words[stage] or words_of(path))
    if not made:
        return 0, 0, []
    linked, unchecked = link(varylink, "-O2", manifest(folder / "newer.jsonl", made), folder / "linked")
    wrong = []
    for name, stages in linked.items():
        for path in stages.values():
            write(path, older(words_of(path), opcode))
        status, text = run(*varylink, "check", *stages.values())
        if status != 0:
            wrong.append(f"{name}: {text.strip()}")
    old = manifest(folder / "before.jsonl", {name: before[name] for name in linked})
    new = manifest(folder / "after.jsonl", linked)
    text = run(*varylink, "verify", "--manifest", old, "--against", new)[1]
    wrong += re.findall(r"^.*: different.*$", text, re.M)
    return len(made), len(made) - len(unchecked), wrong


def main():
    varylink, source = shlex.split(sys.argv[1]), sys.argv[2]
    good = True
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        before, _ = link(varylink, "-O0", source, scratch / "before")
        all_linked = 0
        for name, opcode in OPCODES.items():
            count, linked, wrong = try_opcode(varylink, opcode, before, scratch / name)
            all_linked += linked
            print(f"{name}: {count} pipelines, {linked} linked, {len(wrong)} wrong")
            for one in wrong:
                print(f"  {one}")
            good = good and not wrong
        if all_linked == 0:
            print("nothing was linked, so nothing was tried")
            good = False
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
