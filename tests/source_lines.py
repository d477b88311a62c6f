"""Shaders whose lines are followed through linking, and what the source says at a line: for tests/cli/source_lines_test.py,
which reads the modules, and tests/renderdoc/renderdoc_test.py, which has RenderDoc read them."""

import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[1]
SAMPLES = ROOT / "samples/shaders"
PAIRS = [("mesh.vert", "mesh_glass.frag"), ("mesh.vert", "mesh_lit.frag"), ("mesh.vert", "mesh_shadow.frag"),
         ("quick.vert", "quick.frag"), ("particle.vert", "particle.frag"), ("sky.vert", "sky.frag"),
         ("terrain.vert", "terrain.frag"), ("ui.vert", "ui.frag")]
# What a statement says of an instruction of this kind.
SAID = {"Sqrt": "sqrt|length|distance", "InverseSqrt": "inversesqrt|normalize", "Pow": "pow", "Exp": "exp", "Exp2": "exp2",
        "Log2": "log2", "Log": "log", "Sin": "sin", "Cos": "cos", "Normalize": "normalize", "FMix": "mix", "FClamp": "clamp",
        "FMax": "max", "FMin": "min", "SmoothStep": "smoothstep", "Step": "step", "Fract": "fract", "Floor": "floor",
        "Reflect": "reflect", "Refract": "refract", "Cross": "cross", "FAbs": "abs", "Length": "length",
        "OpDot": "dot", "OpKill": "discard", "OpTerminateInvocation": "discard", "OpDPdx": "dFdx", "OpDPdy": "dFdy",
        "OpFwidth": "fwidth", "OpImageSampleImplicitLod": "texture", "OpImageSampleExplicitLod": "texture",
        "OpImageSampleDrefImplicitLod": "texture", "OpImageSampleDrefExplicitLod": "texture", "OpImageFetch": "texelFetch"}


def cases():
    """GLSL of the vertex and fragment stage of pipeline cases that have these two and need no options."""
    for path in sorted((ROOT / "tests/pipelines").glob("*/*.case")):
        text = path.read_text(encoding="utf-8")
        parts = re.split(r"^== (.*)\n", text, flags=re.MULTILINE)
        sections = dict(zip(parts[1::2], parts[2::2]))
        stages = [title.split()[0] for title in sections if title.split()[0] not in ("expect", "check")]
        options = re.search(r"^;; link: (.*)$", text, re.MULTILINE)
        plain = not options or set(options.group(1).split()) <= {"-O1", "-O2", "-O3"}
        if stages == ["vert", "frag"] and "vert" in sections and "frag" in sections and plain and \
                sections.get("expect status", "ok\n") == "ok\n" and len(sections["frag"].splitlines()) >= 8:
            yield path.parent.name + "-" + path.stem, sections["vert"], sections["frag"]


def shaders(count):
    """Name, vertex and fragment source: of the samples, and of the `count` cases with the longest fragment shaders."""
    pairs = [(frag, (SAMPLES / vert).read_text(encoding="utf-8"), (SAMPLES / frag).read_text(encoding="utf-8"))
             for vert, frag in PAIRS]
    return pairs + sorted(cases(), key=lambda case: (-len(case[2]), case[0]))[:count]


def statement_at(source, line):
    """From the line to where the statement that begins there ends."""
    text = "\n".join(source[line - 1:])
    return re.split(r"[;{}]\s*$", text, maxsplit=1, flags=re.MULTILINE)[0]
