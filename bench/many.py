#!/usr/bin/env python3
"""Makes a large manifest out of smaller ones, as a game's build has it: many pipelines, of which most share modules with others or
repeat them. Links it and prints time and memory.

    bench/many.py FOLDER --pipelines 60000 --modules 17000 --from MANIFEST...  makes FOLDER/many.jsonl
    bench/many.py FOLDER --run VARYLINK [OPTION...]                           links it, once with half of the pipelines
"""
import argparse
import json
import os
import pathlib
import resource
import subprocess
import sys


def words_with_version(words, version):
    """Another module that means the same: the number that a generator gives itself (SPIR-V 2.3, third word) differs."""
    return words[:8] + version.to_bytes(4, "little") + words[12:]


def read_pipelines(manifests):
    for manifest in manifests:
        folder = pathlib.Path(manifest).parent
        for line in pathlib.Path(manifest).read_text(encoding="utf-8").splitlines():
            pipeline = json.loads(line)
            stages = {stage: folder / path for stage, path in pipeline["stages"].items()}
            if all(path.suffix == ".spv" for path in stages.values()):
                yield pipeline, stages


def make(folder, manifests, pipeline_count, module_count):
    """Copies of all pipelines, with modules of their own until there are enough of these. The next copies have equal modules in
    files of their own; the rest names the files of the first ones."""
    sources = list(read_pipelines(manifests))
    folder.mkdir(parents=True, exist_ok=True)
    written, lines, copy = {}, [], 0
    while len(lines) < pipeline_count:
        for index, (pipeline, stages) in enumerate(sources):
            if len(lines) == pipeline_count:
                break
            # Vertex shaders are shared by two copies: a pair is a new pipeline although one of its modules is known.
            versions = {stage: copy // 2 if stage == "vert" else copy for stage in stages}
            if len(written) >= module_count:
                versions = {stage: 0 for stage in stages}
            out = {}
            for stage, path in stages.items():
                name = f"{index}.{versions[stage]}.{stage}.spv"
                if name not in written:
                    (folder / name).write_bytes(words_with_version(path.read_bytes(), versions[stage]))
                    written[name] = True
                out[stage] = name
            lines.append(json.dumps({**pipeline, "name": f"{copy}/{index}", "stages": out}))
        copy += 1
    (folder / "many.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    (folder / "half.jsonl").write_text("\n".join(lines[: len(lines) // 2]) + "\n", encoding="utf-8")
    print(f"{len(lines)} pipelines, {len(written)} modules")


def summary_of(report):
    """Of the end of the file only: what this process has in memory would count as the peak of the next one that it starts."""
    with open(report, "rb") as file:
        file.seek(max(0, file.seek(0, os.SEEK_END) - 4096))
        end = file.read().decode(errors="replace")
    return json.loads(end[end.rindex('"summary":') + len('"summary":'):].rstrip()[:-1])


def run(folder, command):
    for name in ("half.jsonl", "many.jsonl"):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        with open(folder / "messages.txt", "wb") as messages:
            process = subprocess.Popen([*command, "--manifest", name, "-o", "out", "--report", "report.json", "-q"], cwd=folder,
                                       stderr=messages)
        _, status, usage = os.wait4(process.pid, 0)
        if status != 0:
            sys.exit(f"{' '.join(command)} failed on {name}")
        summary = summary_of(folder / "report.json")
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        print(f"{name}: {summary['pipelines']} pipelines, {summary['repeated']} of them repeated: {cpu:.0f} s of CPU, "
              f"{1000 * cpu / summary['pipelines']:.2f} ms each, {usage.ru_maxrss / 1024:.0f} MiB at most")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--pipelines", type=int, default=60000)
    parser.add_argument("--modules", type=int, default=17000)
    parser.add_argument("--from", dest="manifests", nargs="+")
    parser.add_argument("--run", nargs=argparse.REMAINDER)
    arguments = parser.parse_args()
    if arguments.run:
        run(arguments.folder, [str(pathlib.Path(arguments.run[0]).resolve()), "link", *arguments.run[1:]])
    else:
        make(arguments.folder, arguments.manifests, arguments.pipelines, arguments.modules)


if __name__ == "__main__":
    main()
