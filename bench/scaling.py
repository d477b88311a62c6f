#!/usr/bin/env python3
"""Writes pairs of shaders of 10^2, 10^3 and 10^4 instructions, to see how the time of linking grows with their size.

    bench/scaling.py FOLDER && build/release/bench/link_bench FOLDER/scaling.jsonl

Both shaders are random straight-line arithmetic, linear for one half of the values that the fragment shader makes of its
inputs, so that the value graph and the cut have the size of the shaders. The same folder comes out every time.
"""
import json
import pathlib
import random
import sys

VARYINGS = 16


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


def main(folder):
    folder.mkdir(parents=True, exist_ok=True)
    manifest = []
    for size in (100, 1000, 10000):
        rng = random.Random(size)
        for stage, make in (("vert", vertex), ("frag", fragment)):
            (folder / f"scaling_{size}.{stage}").write_text("\n".join(make(size // 2, rng)) + "\n", encoding="utf-8")
        manifest.append({"name": f"scaling_{size}", "stages": {stage: f"scaling_{size}.{stage}" for stage in ("vert", "frag")}})
    text = "".join(json.dumps(entry) + "\n" for entry in manifest)
    (folder / "scaling.jsonl").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(pathlib.Path(sys.argv[1]))
