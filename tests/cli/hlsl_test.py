#!/usr/bin/env python3
"""HLSL on the command line: through a compiler called dxc where there is one, else with a sentence that says how."""
import os
import pathlib
import shutil
import stat
import sys
import unittest

from harness import CliTest

VERTEX = """struct V { float4 pos : SV_Position; float2 uv : TEXCOORD0; float3 n : NORMAL; };
V VSMain(float4 p : POSITION, float2 t : TEXCOORD0) { V v; v.pos = p; v.uv = t; v.n = float3(1, 2, 3); return v; }
"""
PIXEL = """struct V { float4 pos : SV_Position; float2 uv : TEXCOORD0; float3 n : NORMAL; };
float4 PSMain(V v) : SV_Target { return float4(v.uv, v.n.xy); }
"""
# glslang's HLSL in DXC's clothes.
STAND_IN = f"""#!{sys.executable}
import subprocess, sys
words = sys.argv[1:]
stage = {{"vs_6_0": "vert", "ps_6_0": "frag"}}[words[words.index("-T") + 1]]
if "-DBROKEN" in words:
    print("x.hlsl:1:1: error: unknown type name")
    sys.exit(1)
sys.exit(subprocess.run(["glslangValidator", "-D", "-V", "--target-env", "vulkan1.1", "-S", stage, "-e",
                         words[words.index("-E") + 1], "-o", words[words.index("-Fo") + 1],
                         next(word for word in words if word.endswith(".hlsl"))], stdout=subprocess.DEVNULL).returncode)
"""


class Hlsl(CliTest):
    def setUp(self):
        super().setUp()
        self.write("a.vs.hlsl", VERTEX)
        self.write("b.ps.hlsl", PIXEL)

    def path_with(self, *programs):
        folder = self.dir / "bin"
        folder.mkdir(exist_ok=True)
        for name, text in programs:
            (folder / name).write_text(text)
            (folder / name).chmod(stat.S_IRWXU)
        return str(folder)

    def test_without_a_compiler_a_sentence_says_how(self):
        result = self.run_cli("link", "a.vs.hlsl", "b.ps.hlsl", "-o", "out", env={**os.environ, "PATH": self.path_with()})
        self.assertNotEqual(result.status, 0)
        self.assertIn("dxc -spirv", result.err)
        self.assertIn("-T vs_6_0", result.err)

    @unittest.skipUnless(shutil.which("glslangValidator"), "needs glslangValidator")
    def test_a_compiler_on_the_path_is_used(self):
        path = self.path_with(("dxc", STAND_IN)) + os.pathsep + os.environ["PATH"]
        result = self.run_cli("link", "a.vs.hlsl", "b.ps.hlsl", "-e", "vert=VSMain", "-e", "frag=PSMain", "-o", "out",
                                   env={**os.environ, "PATH": path})
        self.assertEqual(result.status, 0, result.err)
        self.assertIn("components 5 → 2", result.out)
        self.assertTrue((self.dir / "out" / "a.vs.spv").exists())

    def test_what_it_says_is_passed_on(self):
        path = self.path_with(("dxc", STAND_IN)) + os.pathsep + os.environ["PATH"]
        result = self.run_cli("link", "a.vs.hlsl", "b.ps.hlsl", "-D", "BROKEN", "-o", "out",
                                   env={**os.environ, "PATH": path})
        self.assertNotEqual(result.status, 0)
        self.assertIn("unknown type name", result.err)


if __name__ == "__main__":
    unittest.main()
