#!/usr/bin/env python3
"""The pipelines of the cases under tests/pipelines, as files and a manifest.

usage: tests/prove/cases.py FOLDER [--stages mesh,tese,...]

Writes the stages of each case into FOLDER, and FOLDER/cases.jsonl with those that are linked without options of their own and
have one of the stages. Cases of parts of a pipeline, of errors, and those that are no whole sources, are left out.
"""
import argparse
import json
import pathlib
import re
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
STAGES = ("vert", "tesc", "tese", "geom", "task", "mesh", "frag")
STATE = {"--no-fragment": "noFragment", "--shared-spec-constants": "sharedSpecConstants"}
NOT_TAKEN = re.compile(r"^(-O.|-e|-g|--spec|--passes.*|--fuel.*|--strict|[^-].*)$")
SECTION = re.compile(r"^== (.*)$", re.M)


def options_of(text):
    """(target environment, state in a manifest, other options of link) of a case."""
    named = re.search(r"^;; link: (.*)$", text, re.M)
    words = [word for word in (named[1].split() if named else []) if not NOT_TAKEN.match(word)]
    environment = next((word.partition("=")[2] for word in words if word.startswith("--target-env=")), "vulkan1.3")
    state = {STATE[word]: True for word in words if word in STATE}
    return environment, state, tuple(word for word in words if word not in STATE)


def write_case(text, name, folder):
    """The manifest entry of a case, with its "options"; None if it is no pipeline of whole sources."""
    target, state, options = options_of(text)
    parts = SECTION.split(text)
    stages = {}
    for title, body in zip(parts[1::2], parts[2::2]):
        words = title.split()
        if words[0] not in STAGES or words[1:] not in ([], ["spvasm"]):
            continue
        path = folder / f"{name}.{words[0]}"
        path.write_text(body, encoding="utf-8")
        if words[1:]:
            binary = path.with_suffix(f".{words[0]}.spv")
            assembler = ["spirv-as", "--target-env", target, path, "-o", binary]
            if subprocess.run(assembler, capture_output=True, check=False).returncode != 0:
                return None
            path = binary
        stages[words[0]] = str(path)
    whole = len(stages) > 1 or "noFragment" in state
    links = re.search(r"^== expect status\nok$", text, re.M) is not None
    return {"name": name, "stages": stages, "state": state, "options": options} if whole and links else None


def pipelines(folder, generated=None):
    """Entries of all cases, and of those in the file `generated` that fuzz_pipelines --print wrote."""
    cases = []
    for path in sorted((ROOT / "tests/pipelines").rglob("*.case")):
        name = f"{path.parent.name}-{path.stem}"
        cases.append((name, path.read_text(encoding="utf-8")))
    if generated:
        texts = re.split(r"(?m)^(?=;; )", generated.read_text(encoding="utf-8"))
        cases += [(f"generated-{i}", text) for i, text in enumerate(texts) if "\n== " in text]
    return [entry for name, text in cases if (entry := write_case(text, name, folder))]


def write_manifest(path, entries):
    keys = ("name", "stages", "state")
    path.write_text("".join(json.dumps({key: entry[key] for key in keys}) + "\n" for entry in entries), encoding="utf-8")
    return path


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--stages", default=",".join(STAGES))
    arguments = parser.parse_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    wanted = set(arguments.stages.split(","))
    entries = [entry for entry in pipelines(arguments.folder.resolve())
               if not entry["options"] and not entry["state"] and wanted & set(entry["stages"])]
    write_manifest(arguments.folder / "cases.jsonl", entries)
    print(f"{len(entries)} pipelines in {arguments.folder / 'cases.jsonl'}")


if __name__ == "__main__":
    main()
