#!/usr/bin/env python3
"""Writes pairs of shaders of growing size, to see how the time of linking grows with it.

    bench/scaling.py FOLDER && build/release/bench/link_bench FOLDER/scaling.jsonl
    bench/scaling.py FOLDER --run VARYLINK          prints a table: CPU time and memory of the commands, best of five
    bench/scaling.py FOLDER --exponents VARYLINK [--axes a,b]    how instructions grow with each axis, counted by callgrind
    bench/scaling.py FOLDER --shared VARYLINK [--pipelines 60000]    many pipelines of one vertex module, with each --share

`scaling_N` are N statements of random straight-line arithmetic, linear for one half of the values that the fragment
shader makes of its inputs, so that the value graph and the cut have the size of the shaders. The others have N of one
thing: branches, selections with two sides, loops and switches one after the other, rounds of loops in each other, locations
of an array, outputs, functions that call each other in a chain, members of a block, constants. Their time should grow with N,
give or take a logarithm. The same folder comes out every time.

The exponent of an axis is the logarithm of how many times as many instructions twice the size takes, so that 1 is linear.
`share-union` and `share-cluster` have N pipelines of one vertex module; `ids` spreads the ids of one pair below larger and
larger bounds, and `shard` asks for the first of ever more shards, which both should cost nothing. What the validator of
SPIRV-Tools takes, which checks each result, is told apart. The status is 1 if the rest grows faster than --most.
"""
import argparse
import json
import math
import os
import pathlib
import random
import re
import struct
import subprocess
import sys
import time

VARYINGS = 16
SIZES = (20, 200, 2000, 20000)  # statements of GLSL, of which each is four or five instructions


def body(count, names, linear, rng):
    """`count` statements; each uses two recent values."""
    lines = []
    for i in range(count):
        a, b = rng.choice(names[-40:]), rng.choice(names[-40:])
        operation = rng.choice([f"{a} + {b}", f"{a} - {b}", f"{a} * {rng.randint(2, 9)}.5"]
                               + ([] if linear(i) else [f"{a} * {b}", f"sin({a})", f"max({a}, {b})"]))
        names.append(f"t{i}")
        lines.append(f"  float t{i} = {operation};")
    return lines


def vertex(count, rng):
    names = ["p.x", "p.y", "p.z", "q.x", "q.y", "q.z", "q.w"]
    lines = ["#version 450", "layout(location = 0) in vec4 p;", "layout(location = 1) in vec4 q;"]
    lines += [f"layout(location = {i}) out vec4 v{i};" for i in range(VARYINGS // 4)]
    lines += ["void main() {"] + body(count, names, lambda i: False, rng)
    sent = names[-VARYINGS:]
    lines += [f"  v{i} = vec4({', '.join(sent[4 * i:4 * i + 4])});" for i in range(VARYINGS // 4)]
    return lines + ["  gl_Position = p;", "}"]


def fragment(count, rng):
    names = [f"v{i}.{c}" for i in range(VARYINGS // 4) for c in "xyzw"]
    lines = ["#version 450"] + [f"layout(location = {i}) in vec4 v{i};" for i in range(VARYINGS // 4)]
    lines += ["layout(location = 0) out vec4 o;", "void main() {"]
    lines += body(count, names, lambda i: i < count // 2, rng)
    return lines + [f"  o = vec4({', '.join(names[-4:])});", "}"]


HEADER = ["#version 450"]
ATTRIBUTES = ["layout(location = 0) in vec4 p;", "layout(location = 1) in ivec4 q;"]
TARGET = ["layout(location = 0) out vec4 o;"]


def around(count, make, varying="vec4 v"):
    """A vertex shader with the lines of `make(i)` for each i in its body, and a fragment shader that reads what it sends."""
    vertex = HEADER + ATTRIBUTES + [f"layout(location = 0) out {varying};", "void main() {", "  gl_Position = p;"]
    vertex += ["  v = p;"] + [line for i in range(count) for line in make(i)] + ["}"]
    return vertex, HEADER + [f"layout(location = 0) in {varying};"] + TARGET + ["void main() { o = v; }"]


def branches(count):
    return around(count, lambda i: [f"  if (p.x > {i}.5) v.{'xyzw'[i % 4]} = p.y * {i}.25;"])


def selections(count):
    """Both sides of each store."""
    return around(count, lambda i: [f"  if (p.x > {i}.5) v.{'xyzw'[i % 4]} = p.y * {i}.25; else v.{'xyzw'[(i + 1) % 4]} += p.z;"])


def nests(count):
    """Three loops in each other that index inputs together: `count` rounds, whatever the depth."""
    rounds = round(count ** (1 / 3))
    vertex = HEADER + ATTRIBUTES + ["layout(location = 0) out vec4 v[4];", "void main() {", "  gl_Position = p;"]
    vertex += [f"  v[{i}] = sin(p * {i}.5);" for i in range(4)] + ["}"]
    fragment = HEADER + ["layout(location = 0) in vec4 v[4];"] + TARGET + ["void main() {", "  o = v[0];"]
    fragment += [f"  for (int {c} = 0; {c} < {rounds}; {c}++)" for c in "ijk"]
    return vertex, fragment + ["    o = o * 0.5 + v[(i + j + k) & 3];", "}"]


def loops(count):
    """Short loops one behind the other, each over an array of varyings."""
    vertex = HEADER + ATTRIBUTES + ["layout(location = 0) out vec4 v[4];", "void main() {", "  gl_Position = p;"]
    vertex += [f"  v[{i}] = sin(p * {i}.5);" for i in range(4)] + ["}"]
    fragment = HEADER + ["layout(location = 0) in vec4 v[4];"] + TARGET + ["void main() {", "  o = vec4(0.0);"]
    fragment += [f"  for (int i = 0; i < 4; i++) o = o * {n}.5 + v[i];" for n in range(count // 20)]
    return vertex, fragment + ["}"]


def switches(count):
    def switch(i):
        cases = "".join(f" case {k}: v.{'xyzw'[(i + k) % 4]} = p.x * {i}.5; break;" for k in range(1, 6))
        return [f"  switch (q.{'xyzw'[i % 4]} + {i}) {{{cases} }}"]
    return around(count // 5, switch)


def indices(count):
    """Switches that decide an index of an array."""
    vertex = HEADER + ATTRIBUTES + ["layout(location = 0) out vec4 v[5];", "void main() {", "  gl_Position = p;"]
    vertex += [f"  v[{i}] = p * {i + 2}.0;" for i in range(5)] + ["}"]
    fragment = HEADER + ["layout(location = 0) in vec4 v[5];", f"layout(push_constant) uniform P {{ int a[{count}]; }};"]
    fragment += TARGET + ["void main() {", "  int i = 0;"]
    for s in range(count // 5):
        cases = "".join(f" case {k}: i = i + {k}; break;" for k in range(5))
        fragment.append(f"  switch (a[{s}]) {{{cases} }}")
    return vertex, fragment + ["  o = v[i];", "}"]


def locations(count):
    vertex = HEADER + ATTRIBUTES + [f"layout(location = 0) out vec4 v[{count}];", "void main() {", "  gl_Position = p;"]
    vertex += ["  v[3] = p; v[5] = p * p;", "}"]
    fragment = HEADER + [f"layout(location = 0) in vec4 v[{count}];"] + TARGET
    return vertex, fragment + ["void main() { o = v[3] + v[5]; }"]


def outputs(count):
    """A location for each four, with components that share nothing."""
    locations = range(count // 4)
    vertex = HEADER + ATTRIBUTES + [f"layout(location = {i}) out vec4 v{i};" for i in locations]
    vertex += ["void main() {", "  gl_Position = p;"]
    vertex += [f"  v{i} = sin(p * {i}.5) + cos(p.yzwx * {i}.25);" for i in locations] + ["}"]
    fragment = HEADER + [f"layout(location = {i}) in vec4 v{i};" for i in locations] + TARGET
    fragment += ["void main() {", "  vec4 sum = vec4(0.0);"]
    return vertex, fragment + [f"  sum += v{i} * v{(i + 1) % len(locations)}.yzwx;" for i in locations] + ["  o = sum;", "}"]


def calls(count):
    vertex, fragment = around(0, None)
    functions = ["vec4 f0(vec4 x) { return x; }"]
    functions += [f"vec4 f{i}(vec4 x) {{ return f{i - 1}(x * {i}.5); }}" for i in range(1, count // 5)]
    main_at = vertex.index("void main() {")
    return vertex[:main_at] + functions + vertex[main_at:-1] + [f"  v = f{count // 5 - 1}(p);", "}"], fragment


def returns(count):
    """Functions that return early."""
    vertex, fragment = around(count // 5, lambda i: [f"  v += f{i}(p);"])
    functions = [f"vec4 f{i}(vec4 x) {{ if (x.x > {i}.5) return x * {i}.25; return x + {i}.0; }}" for i in range(count // 5)]
    main_at = vertex.index("void main() {")
    return vertex[:main_at] + functions + vertex[main_at:], fragment


def texels(count):
    """Calls of a function that stays one, since only texels come to it."""
    vertex, _ = around(0, None)
    fragment = HEADER + ["layout(location = 0) in vec4 v;", "layout(set = 0, binding = 0) uniform sampler2D s;"] + TARGET
    fragment += ["vec4 f(vec4 x, vec4 y) { if (dot(x, y) > 0.5) return x * y; return x + y; }"]
    fragment += ["void main() {", "  vec4 sum = texture(s, v.xy);"]
    return vertex, fragment + [f"  sum = f(sum, texture(s, v.xy * {i}.5));" for i in range(count // 5)] + ["  o = sum;", "}"]


def members(count):
    block = "".join(f" float m{i};" for i in range(count))
    uniform = [f"layout(set = 0, binding = 0) uniform B {{{block} }};"]
    vertex, fragment = around(count, lambda i: [f"  v.{'xyzw'[i % 4]} += m{i};"])
    return vertex[:1] + uniform + vertex[1:], fragment


def constants(count):
    return around(count, lambda i: [f"  v = v * {i}.75 + p;"])


FAMILIES = {"branches": branches, "selections": selections, "nests": nests, "loops": loops, "switches": switches,
            "indices": indices, "locations": locations, "outputs": outputs, "calls": calls, "returns": returns,
            "texels": texels, "members": members, "constants": constants}


def write(folder, manifest, name, sources):
    for stage, lines in zip(("vert", "frag"), sources):
        (folder / f"{name}.{stage}").write_text("\n".join(lines) + "\n", encoding="utf-8")
    manifest.append({"name": name, "stages": {stage: f"{name}.{stage}" for stage in ("vert", "frag")}})


def instructions_of(module):
    words = memoryview(pathlib.Path(module).read_bytes()).cast("I")
    count, place = 0, 5
    while place < len(words):
        place += words[place] >> 16
        count += 1
    return count


def cost(*commands):
    """Least CPU seconds of five runs, and most MiB of a process of any of them."""
    seconds, peak = [], 0
    for _ in range(5):
        total = 0.0
        for command in commands:
            process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            _, status, usage = os.wait4(process.pid, 0)
            if status != 0:
                sys.exit(f"failed: {' '.join(command)}")
            total += usage.ru_utime + usage.ru_stime
            peak = max(peak, usage.ru_maxrss / 1024)
        seconds.append(total)
    return min(seconds), peak


def run(folder, varylink):
    print("| instructions | `varylink link`, s | MiB | `spirv-opt -O`, s | MiB | with `spirv-val` before and after, s |")
    print("|---|---|---|---|---|---|")
    for size in SIZES:
        sources = [str(folder / f"scaling_{size}.{stage}") for stage in ("vert", "frag")]
        subprocess.run([varylink, "link", "-O0", "-q", *sources, "-o", str(folder)], check=True)
        modules = [source + ".spv" for source in sources]
        optimized = [module + ".opt" for module in modules]
        linked = cost([varylink, "link", "-q", *modules, "-o", str(folder / "linked")])
        optimize = [["spirv-opt", "-O", module, "-o", out] for module, out in zip(modules, optimized)]
        plain = cost(*optimize)
        checked = cost(*optimize, *(["spirv-val", "--target-env", "vulkan1.3", module] for module in modules + optimized))
        count = sum(instructions_of(module) for module in modules)
        print(f"| {count:,} | {linked[0]:.3f} | {linked[1]:.0f} | {plain[0]:.3f} | {plain[1]:.0f} | {checked[0]:.3f} |")


SHARED_VERT = HEADER + ["layout(location = 0) in vec4 a[8];"] + [f"layout(location = {i}) out vec4 v{i};" for i in range(16)]
SHARED_VERT += ["void main() {", "  gl_Position = a[0];"]
SHARED_VERT += [f"  v{i} = a[{i % 8}] * a[{(i * 3 + 1) % 8}].{'xyzw'[i % 4]} + vec4({i});" for i in range(16)] + ["}"]


def shared_frag(kind, number):
    """One of four kinds by what it reads; its number is a constant."""
    read = [(kind * 5 + i * 3) % 16 for i in range(2 + kind)]
    lines = HEADER + [f"layout(location = {i}) in vec4 v{i};" for i in read] + TARGET
    return lines + ["void main() {", f"  o = {' + '.join(f'v{i}.{order}' for i, order in zip(read, ('wzwx', 'yxwx', 'wwyz', 'xyzw', 'zyxw')))};",
                    f"  o *= {number}.5;", "}"]


def compiled(varylink, folder, stages, *arguments):
    """Files of SPIR-V as the compiler of the command makes them."""
    out = folder / "compiled"
    subprocess.run([varylink, "link", "-O0", "-q", *arguments, *(str(folder / stage) for stage in stages), "-o", str(out)], check=True)
    return [str(out / (stage + ".spv")) for stage in stages]


def family_axis(varylink, folder, family, size):
    stages = [f"{family}_{size}.{stage}" for stage in ("vert", "frag")]
    write(folder, [], f"{family}_{size}", FAMILIES[family](size))
    return ["link", *compiled(varylink, folder, stages)]


def share_axis(varylink, folder, sharing, size):
    (folder / "shared.vert").write_text("\n".join(SHARED_VERT) + "\n", encoding="utf-8")
    modules = []
    for kind in range(4):
        (folder / f"shared_{kind}.frag").write_text("\n".join(shared_frag(kind, 1234)) + "\n", encoding="utf-8")
        vert, frag = compiled(varylink, folder, ["shared.vert", f"shared_{kind}.frag"])
        modules.append(pathlib.Path(frag).read_bytes())
    lines = []
    for i in range(size):
        module = modules[i % 4].replace(struct.pack("<f", 1234.5), struct.pack("<f", i + 2.5))
        name = folder / f"shared_{i}.frag.spv"
        name.write_bytes(module)
        lines.append(json.dumps({"name": f"p{i}", "stages": {"vert": vert, "frag": str(name)}}))
    (folder / "shared.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return ["link", "-j1", "--share", sharing, "--manifest", str(folder / "shared.jsonl")]


def ids_axis(varylink, folder, bound):
    write(folder, [], "ids", FAMILIES["branches"](100))
    spread = []
    for module in compiled(varylink, folder, ["ids.vert", "ids.frag"]):
        text = subprocess.run(["spirv-dis", "--raw-id", "--no-color", module], check=True, capture_output=True, text=True).stdout
        most = max(int(number) for number in re.findall(r"%(\d+)", text))
        text = re.sub(r"%(\d+)", lambda found: f"%{int(found.group(1)) * (bound // (most + 1))}", text)
        name = module.replace("compiled", f"ids_{bound}")
        pathlib.Path(name).parent.mkdir(exist_ok=True)
        subprocess.run(["spirv-as", "--preserve-numeric-ids", "-", "-o", name], input=text, text=True, check=True)
        spread.append(name)
    return ["link", *spread]


def shard_axis(varylink, folder, count):
    return [*share_axis(varylink, folder, "specialize", 4), "--shard", f"1/{count}"]


# Axis -> sizes, and the command for one.
AXES = {family: ((500, 1000, 2000), lambda *given, family=family: family_axis(*given[:2], family, given[2]))
        for family in FAMILIES}
AXES["share-union"] = ((200, 400, 800), lambda *given: share_axis(*given[:2], "union", given[2]))
AXES["share-cluster"] = ((100, 200, 400), lambda *given: share_axis(*given[:2], "cluster", given[2]))
AXES["ids"] = ((250_000, 1_000_000, 4_000_000), ids_axis)
AXES["shard"] = ((1000, 1_000_000, 1_000_000_000), shard_axis)

VALIDATOR = re.compile(r"spvValidate\w*|spvtools::(SpirvTools::Validate|Optimizer::Run)\(.*")


def run_shared(folder, varylink, count):
    """Seconds and memory of many pipelines of one vertex module."""
    folder.mkdir(parents=True, exist_ok=True)
    print("| `--share` | pipelines | s | CPU s | MiB |\n|---|---|---|---|---|")
    for sharing in ("specialize", "union", "cluster"):
        command = [varylink, *share_axis(varylink, folder, sharing, count), "-q", "-o", str(folder / "out")]
        start = time.monotonic()
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        if status != 0:
            sys.exit(f"failed: {' '.join(command)}")
        print(f"| {sharing} | {count:,} | {time.monotonic() - start:.0f} | {usage.ru_utime + usage.ru_stime:.0f} | "
              f"{usage.ru_maxrss / 1024:,.0f} |", flush=True)


def instructions_run(command, folder):
    """All instructions of a run, and those of the validator among them."""
    profile = folder / "callgrind.out"
    subprocess.run(["valgrind", "--tool=callgrind", f"--callgrind-out-file={profile}", *command], check=True,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    names, total, checked, caller, callee, is_call = {}, 0, 0, None, None, False
    for line in profile.read_text(encoding="utf-8", errors="replace").splitlines():
        if named := re.match(r"(c?)fn=\((\d+)\)(?: (.*))?$", line):
            if named[3]:
                names[named[2]] = bool(VALIDATOR.match(named[3]))
            caller, callee = (caller, names[named[2]]) if named[1] else (names[named[2]], callee)
        elif line.startswith("calls="):
            is_call = True
        elif is_call:
            is_call = False
            checked += int(line.split()[1]) if callee and not caller else 0
        elif line.startswith("totals:"):
            total = int(line.split()[1])
    return total, checked


def exponents(folder, varylink, axes, most):
    """The exponents of the last doubling (or whatever the step is), own instructions and those of the validator."""
    folder.mkdir(parents=True, exist_ok=True)
    unknown = [axis for axis in axes if axis not in AXES]
    if unknown:
        sys.exit(f"no such axis: {', '.join(unknown)}; there are {', '.join(AXES)}")
    print("| axis | sizes | own instructions, millions | exponent | validator, millions | exponent |")
    print("|---|---|---|---|---|---|")
    worst = 0.0
    for axis in axes:
        sizes, make = AXES[axis]
        counts = []
        for size in sizes:
            command = [varylink, *make(varylink, folder, size), "-q", "-o", str(folder / "out")]
            counts.append(instructions_run(command, folder))
        step = math.log(sizes[-1] / sizes[-2])
        own = [total - checked for total, checked in counts]
        checked = [count for _, count in counts]
        growth = [math.log(max(list[-1], 1) / max(list[-2], 1)) / step for list in (own, checked)]
        worst = max(worst, growth[0])
        millions = [", ".join(f"{count / 1e6:,.0f}" for count in list) for list in (own, checked)]
        print(f"| {axis} | {', '.join(f'{size:,}' for size in sizes)} | {millions[0]} | {growth[0]:.2f} | {millions[1]} | "
              f"{growth[1]:.2f} |", flush=True)
    return 0 if worst <= most else 1


def main(folder):
    folder.mkdir(parents=True, exist_ok=True)
    manifest = []
    for size in SIZES:
        rng = random.Random(size)
        write(folder, manifest, f"scaling_{size}", (vertex(size // 2, rng), fragment(size // 2, rng)))
    for family, make in FAMILIES.items():
        for size in (250, 1000, 4000):
            write(folder, manifest, f"{family}_{size}", make(size))
    text = "".join(json.dumps(entry) + "\n" for entry in manifest)
    (folder / "scaling.jsonl").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--run", metavar="VARYLINK", help="the tool to measure on what an earlier call wrote to FOLDER")
    parser.add_argument("--exponents", metavar="VARYLINK", help="the tool whose instructions are counted")
    parser.add_argument("--axes", default=",".join(AXES), help="which of them, with commas between (default: all)")
    parser.add_argument("--most", type=float, default=1.15, help="the largest exponent that is no failure (default: 1.15)")
    parser.add_argument("--shared", metavar="VARYLINK", help="the tool to measure on pipelines of one vertex module")
    parser.add_argument("--pipelines", type=int, default=60000, help="of --shared (default: %(default)s)")
    arguments = parser.parse_args()
    if arguments.shared:
        run_shared(arguments.folder, arguments.shared, arguments.pipelines)
    elif arguments.exponents:
        sys.exit(exponents(arguments.folder, arguments.exponents, arguments.axes.split(","), arguments.most))
    elif arguments.run:
        run(arguments.folder, arguments.run)
    else:
        main(arguments.folder)
