#!/usr/bin/env python3
"""Pipelines as a driver has them that removes varyings by itself, but only whole ones.

    bench/drop_outputs.py MANIFEST KEPT OUT

copies the pipelines of MANIFEST to the folder OUT, with OUT/manifest.jsonl, without the outputs of the vertex stage that the
driver does not store either. KEPT has lines "pipeline, name of the output" with a tab, for what it does store: in Mesa's final NIR
the names behind `store_output`. Outputs with a location that are not there become private variables, and inputs at locations
that nothing writes any more, too. What computes them is then dead, as it is for the driver.

`varylink link --manifest OUT/manifest.jsonl --passes shrink-task-payload --report before.json` says what the cost model makes of them,
for bench/sign_agreement.py --before.
"""
import argparse
import collections
import json
import pathlib
import re
import subprocess

VARIABLE = re.compile(r"\s*(%\d+) = OpVariable (%\d+) (Input|Output)\b(.*)")
CHAIN = re.compile(r"\s*(%\d+) = Op(InBounds)?AccessChain (%\d+) (%\d+)(.*)")


class Module:
    """The text of a module, and what of it says where its varyings are."""

    def __init__(self, path):
        self.minor = path.read_bytes()[5]  # SPIR-V 1.minor
        text = subprocess.run(["spirv-dis", "--raw-id", "--no-header", path], capture_output=True, text=True, check=True)
        self.lines = text.stdout.splitlines()
        self.locations, self.names, self.types, self.pointees, self.variables = {}, {}, {}, {}, {}
        for line in self.lines:
            self.read(line)

    def read(self, line):
        if match := re.match(r"\s*OpDecorate (%\d+) Location (\d+)", line):
            self.locations[match[1]] = int(match[2])
        elif match := re.match(r'\s*OpName (%\d+) "(.*)"', line):
            self.names[match[1]] = match[2]
        elif match := re.match(r"\s*(%\d+) = OpTypePointer \w+ (%\d+)", line):
            self.pointees[match[1]] = match[2]
        elif match := re.match(r"\s*(%\d+) = OpType(\w+)(.*)", line):
            self.types[match[1]] = (match[2], match[3].split())
        elif match := re.match(r"\s*(%\d+) = OpConstant %\d+ (\d+)$", line):
            self.types[match[1]] = ("Length", [match[2]])
        elif match := VARIABLE.match(line):
            self.variables[match[1]] = (match[3], self.pointees[match[2]])

    def size(self, of_type):
        """Locations that a type takes; 64-bit ones are not looked for."""
        kind, operands = self.types[of_type]
        if kind == "Array":
            return int(self.types[operands[1]][1][0]) * self.size(operands[0])
        if kind == "Struct":
            return sum(map(self.size, operands))
        return int(operands[1]) if kind == "Matrix" else 1

    def varyings(self, storage):
        """variable -> its locations"""
        return {variable: range(self.locations[variable], self.locations[variable] + self.size(pointee))
                for variable, (stored, pointee) in self.variables.items() if stored == storage and variable in self.locations}

    def make_private(self, variables):
        """Ids of pointer types to private memory are new, behind the largest."""
        free = max(int(word) for line in self.lines for word in re.findall(r"%(\d+)", line)) + 1
        pointers = collections.OrderedDict()
        private, result = set(variables), []

        def pointer_to(pointer):
            return pointers.setdefault(self.pointees[pointer], "%%%d" % (free + len(pointers)))

        for line in self.lines:
            if (match := re.match(r"\s*Op(?:Member)?Decorate (%\d+)", line)) and match[1] in variables:
                continue
            if self.minor < 4 and "OpEntryPoint" in line:
                line = re.sub(r"%\d+", lambda word: "" if word[0] in variables else word[0], line)
            elif (match := VARIABLE.match(line)) and match[1] in variables:
                line = "%s = OpVariable %s Private%s" % (match[1], pointer_to(match[2]), match[4])
            elif (match := CHAIN.match(line)) and match[4] in private:
                private.add(match[1])
                line = "%s = Op%sAccessChain %s %s%s" % (match[1], match[2] or "", pointer_to(match[3]), match[4], match[5])
            result.append(line)
        self.lines = []
        for line in result:
            self.lines.append(line)
            if (match := re.match(r"\s*(%\d+) = OpType", line)) and match[1] in pointers:
                self.lines.append("%s = OpTypePointer Private %s" % (pointers[match[1]], match[1]))

    def write(self, path):
        subprocess.run(["spirv-as", "--target-env", "spv1.%d" % self.minor, "--preserve-numeric-ids", "-", "-o", path],
                       input="\n".join(self.lines), text=True, check=True)


def drop(pipeline, kept, folder, root):
    """The pipeline's line in the new manifest"""
    stages = {stage: Module(root / path) for stage, path in pipeline["stages"].items()}
    outputs = stages["vert"].varyings("Output")
    dropped = {variable for variable in outputs if stages["vert"].names.get(variable) not in kept}
    written = {location for variable in outputs.keys() - dropped for location in outputs[variable]}
    stages["vert"].make_private(dropped)
    stages["frag"].make_private({variable for variable, locations in stages["frag"].varyings("Input").items()
                                 if not written.intersection(locations)})
    place = folder / pipeline["name"]
    place.mkdir(parents=True, exist_ok=True)
    for stage, module in stages.items():
        module.write(place / (stage + ".spv"))
    return dict(pipeline, stages={stage: "%s/%s.spv" % (pipeline["name"], stage) for stage in stages})


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("manifest", type=pathlib.Path)
    parser.add_argument("kept", type=pathlib.Path)
    parser.add_argument("out", type=pathlib.Path)
    arguments = parser.parse_args()
    kept = collections.defaultdict(set)
    for line in arguments.kept.read_text(encoding="utf-8").splitlines():
        name, output = line.split("\t")
        kept[name].add(output)
    arguments.out.mkdir(parents=True, exist_ok=True)
    pipelines = [json.loads(line) for line in arguments.manifest.read_text(encoding="utf-8").splitlines() if line.strip()]
    lines = [json.dumps(drop(pipeline, kept[pipeline["name"]], arguments.out, arguments.manifest.parent)) for pipeline in pipelines]
    (arguments.out / "manifest.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
