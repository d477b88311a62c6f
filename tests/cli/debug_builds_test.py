"""Debug builds are linked like release builds: whatever debug information the shaders of samples/shaders are compiled with,
the same instructions come out, and the same report."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import unittest

from harness import CliTest

COMPILER = shutil.which("glslangValidator")
SHADERS = pathlib.Path(__file__).resolve().parents[2] / "samples/shaders"
PAIRS = [("mesh.vert", "mesh_glass.frag"), ("mesh.vert", "mesh_lit.frag"), ("mesh.vert", "mesh_shadow.frag"),
         ("quick.vert", "quick.frag"), ("particle.vert", "particle.frag"), ("sky.vert", "sky.frag"),
         ("terrain.vert", "terrain.frag")]
# No names; names; lines, too; and NonSemantic.Shader.DebugInfo.100 without and with the source.
KINDS = ["-g0", None, "-g", "-gV", "-gVS"]
DEBUG_INSTRUCTIONS = {"OpLine", "OpNoLine"}
NAMED_VERT = """#version 450
layout(location = 0) in vec4 p;
layout(location = 0) out vec3 abc;
layout(location = 1) out float glow;
void main() { gl_Position = p; abc = p.xyz; glow = p.w; }
"""
NAMED_FRAG = """#version 450
struct S { float a; vec2 b; };
layout(location = 0) in vec3 abc;
layout(location = 1) in float glow;
layout(location = 0) out vec4 target;
void main() {
  float first = abc.x + abc.y;
  float second = abc.y + abc.z;
  S s;
  s.a = first * glow;
  s.b = vec2(second, glow);
  float t[2];
  t[0] = s.a;
  t[1] = s.b.x;
  if (glow > 0.5) s.a = 1.0;
  target = vec4(first * second, glow, s.a + s.b.y, t[1]);
}
"""


def code_of(path):
    """The functions of a module without debug instructions; what is in none is written out, what is in one is numbered."""
    listing = subprocess.run(["spirv-dis", "--no-header", "--raw-id", path], capture_output=True, text=True, check=True)
    declared, numbers, code, debug_set, in_function = {}, {}, [], None, False
    for line in map(str.strip, listing.stdout.splitlines()):
        if not (parts := re.match(r"(?:(%\d+) = )?(Op\w+)(.*)", line)):
            continue  # of the source text
        result, operation, rest = parts.groups()
        if operation == "OpExtInstImport" and "NonSemantic.Shader.DebugInfo" in rest:
            debug_set = result
        is_debug = operation in DEBUG_INSTRUCTIONS or (operation == "OpExtInst" and rest.split()[1] == debug_set)
        in_function = in_function or operation == "OpFunction"
        if is_debug or not in_function and not result:
            continue
        name = lambda found: declared.get(found[0]) or numbers.setdefault(found[0], f"%{len(numbers)}")
        if in_function:
            code.append(re.sub(r"%\d+", name, f"{result} = {operation}{rest}" if result else operation + rest))
        else:
            declared[result] = "(" + operation + re.sub(r"%\d+", lambda found: declared.get(found[0], "?"), rest) + ")"
    return code


@unittest.skipUnless(COMPILER and shutil.which("spirv-dis"), "no glslangValidator or spirv-dis")
class DebugBuildsTest(CliTest):
    def link(self, pair, kind):
        """Code of the linked stages, and the interfaces of the report."""
        folder = self.dir / (kind or "names")
        folder.mkdir(exist_ok=True)
        modules = []
        for shader in pair:
            modules.append(str(folder / (shader + ".spv")))
            subprocess.run([COMPILER, *([kind] if kind else []), "-V", "--target-env", "vulkan1.2", SHADERS / shader,
                            "-o", modules[-1]],
                           cwd=SHADERS, stdout=subprocess.DEVNULL, check=True, env={**os.environ, "LC_ALL": "C"})
        out, report = folder / "out", folder / "report.json"
        self.assert_ok(self.run_cli("link", *modules, "-o", str(out), "--report", str(report), "-q"))
        interfaces = json.loads(report.read_text(encoding="utf-8"))["pipelines"][0]["interfaces"]
        return [code_of(out / pathlib.Path(module).name) for module in modules], interfaces

    def test_the_same_instructions_come_out(self):
        for pair in PAIRS:
            code, interfaces = self.link(pair, None)
            for kind in filter(None, KINDS):
                with self.subTest(pair=pair, kind=kind):
                    other_code, other_interfaces = self.link(pair, kind)
                    self.assertEqual(code, other_code)
                    if kind != "-g0":
                        self.assertEqual(interfaces, other_interfaces)

    def test_lines_and_names_of_what_is_left_stay(self):
        self.link(PAIRS[1], "-gVS")
        listing = subprocess.run(["spirv-dis", self.dir / "-gVS/out/mesh_lit.frag.spv"], capture_output=True, text=True,
                                 check=True).stdout
        for what in ("DebugSource", "DebugScope", "DebugLine", "DebugGlobalVariable", "DebugFunctionDefinition"):
            self.assertIn(" " + what + " ", listing)

    def names_in(self, path):
        """For each variable of the source what stands for it or its parts, in order: operations of values, and indexes."""
        listing = subprocess.run(["spirv-dis", "--no-header", path], capture_output=True, text=True, check=True).stdout
        strings, variables, operations, names = {}, {}, {}, {}
        for line in map(str.strip, listing.splitlines()):
            if not (parts := re.match(r"(%\w+) = (Op\w+)(.*)", line)):
                continue
            result, operation, rest = parts.groups()
            words = rest.split()
            operations[result] = operation
            if operation == "OpString":
                strings[result] = rest.strip(' "')
            elif operation == "OpExtInst" and words[2] == "DebugLocalVariable":
                variables[result] = strings[words[3]]
            elif operation == "OpExtInst" and words[2] in ("DebugValue", "DebugDeclare"):
                names.setdefault(variables[words[3]], []).append((operations[words[4]], *words[6:]))
        return names

    def test_names_go_with_values(self):
        """Sums that move to the vertex stage keep their names where they are read; parts of a structure and of an array have
        names of their own; the structure's part of which nothing is left is undefined."""
        (self.dir / "a.vert").write_text(NAMED_VERT, encoding="utf-8")
        (self.dir / "b.frag").write_text(NAMED_FRAG, encoding="utf-8")
        for shader in ("a.vert", "b.frag"):
            subprocess.run([COMPILER, "-gVS", "-V", "--target-env", "vulkan1.2", shader, "-o", shader + ".spv"], cwd=self.dir,
                           stdout=subprocess.DEVNULL, check=True)
        self.assert_ok(self.run_cli("link", "a.vert.spv", "b.frag.spv", "-o", "out", "-q"))
        subprocess.run(["spirv-val", "--target-env", "vulkan1.2", self.dir / "out/b.frag.spv"], check=True)
        names = self.names_in(self.dir / "out/b.frag.spv")
        self.assertEqual(names["first"], [("OpCompositeExtract",)])
        self.assertEqual(names["second"], [("OpCompositeExtract",)])
        self.assertEqual(names["s"], [("OpFMul", "%uint_0"), ("OpUndef", "%uint_1"), ("OpConstant", "%uint_0"),
                                      ("OpPhi", "%uint_0")])
        self.assertEqual(names["t"], [("OpFMul", "%uint_0"), ("OpCompositeExtract", "%uint_1")])


if __name__ == "__main__":
    unittest.main()
