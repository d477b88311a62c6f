#!/usr/bin/env python3
"""A module with both entry points, as WGSL compilers write it, stays one module with both linked."""
import unittest

from harness import CliTest

MODULE = """OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint Vertex %vs "vs" %p %pos %a %b
OpEntryPoint Fragment %fs "fs" %c %d %o
OpExecutionMode %fs OriginUpperLeft
OpDecorate %p Location 0
OpDecorate %pos BuiltIn Position
OpDecorate %a Location 0
OpDecorate %b Location 1
OpDecorate %c Location 0
OpDecorate %d Location 1
OpDecorate %o Location 0
%void = OpTypeVoid
%fn = OpTypeFunction %void
%float = OpTypeFloat 32
%v4 = OpTypeVector %float 4
%in = OpTypePointer Input %v4
%out = OpTypePointer Output %v4
%p = OpVariable %in Input
%pos = OpVariable %out Output
%a = OpVariable %out Output
%b = OpVariable %out Output
%c = OpVariable %in Input
%d = OpVariable %in Input
%o = OpVariable %out Output
%vs = OpFunction %void None %fn
%1 = OpLabel
%x = OpLoad %v4 %p
OpStore %pos %x
%y = OpFMul %v4 %x %x
OpStore %a %y
OpStore %b %x
OpReturn
OpFunctionEnd
%fs = OpFunction %void None %fn
%2 = OpLabel
%z = OpLoad %v4 %c
OpStore %o %z
OpReturn
OpFunctionEnd
"""


class OneModule(CliTest):
    def setUp(self):
        super().setUp()
        self.write("w.spvasm", MODULE)

    def test_one_file_has_both_linked(self):
        run = self.assert_ok(self.run_cli("link", "w.spvasm", "-o", "linked.spv"))
        self.assertIn("components 8 → 4", run.out)
        again = self.assert_ok(self.run_cli("link", "linked.spv", "-o", "again.spv"))
        self.assertIn("components 4 → 4", again.out)
        self.assert_ok(self.run_cli("check", "linked.spv"))

    def test_over_its_own_input(self):
        self.assert_ok(self.run_cli("link", "-O0", "w.spvasm", "-o", "w.spv"))
        self.assert_ok(self.run_cli("link", "w.spv", "-o", "other.spv"))
        run = self.assert_ok(self.run_cli("link", "w.spv", "-o", "w.spv"))
        self.assertIn("components 8 → 4", run.out)
        linked = (self.dir / "w.spv").read_bytes()
        self.assertEqual(linked, (self.dir / "other.spv").read_bytes())
        self.assertIn("components 4 → 4", self.assert_ok(self.run_cli("link", "w.spv", "-o", "w.spv")).out)

    def test_each_alone_still_has_the_other(self):
        self.assert_ok(self.run_cli("link", "w.spvasm", "-o", "vert=v.spv", "-o", "frag=f.spv"))
        self.assertTrue((self.dir / "v.spv").exists() and (self.dir / "f.spv").exists())

    def test_two_files_are_no_one_module(self):
        self.assert_refused(1, ["which holds one stage or what came as one module"], "link", *self.write_pair(), "-o",
                            "one.spv")


if __name__ == "__main__":
    unittest.main()
