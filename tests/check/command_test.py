#!/usr/bin/env python3
"""Runs `varylink check` as a user would: exit status, text and JSON, --werror, --limits, manifests."""
import json
import os
import subprocess
import sys
import tempfile
import unittest

COMMAND = os.path.abspath(sys.argv.pop(1))
WRITER = "#version 460\nlayout(location = 0) out vec%d n;\nvoid main() {\n  n = vec%d(1);\n  gl_Position = vec4(1);\n}\n"
READER = "#version 460\nlayout(location = 0) in vec4 n;\nlayout(location = 0) out vec4 o;\nvoid main() {\n  o = n;\n}\n"
INT_INPUT = """OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint Fragment %main "main" %in
OpExecutionMode %main OriginUpperLeft
OpDecorate %in Location 0
%void = OpTypeVoid
%fn = OpTypeFunction %void
%int = OpTypeInt 32 1
%ptr = OpTypePointer Input %int
%in = OpVariable %ptr Input
%main = OpFunction %void None %fn
%label = OpLabel
OpReturn
OpFunctionEnd
"""
MESH = """#version 460
#extension GL_EXT_mesh_shader : require
layout(local_size_x = 5) in;
layout(triangles, max_vertices = 3, max_primitives = 1) out;
void main() { SetMeshOutputsEXT(4, 1); }
"""
COMPONENT_OF_ARRAYS = """#version 460
layout(vertices = 3) out;
layout(location = 0, component = 2) in vec2 a[][2];
layout(location = 0) out vec2 o[];
void main() {
  o[gl_InvocationID] = a[gl_InvocationID][1];
  gl_TessLevelOuter[0] = 1;
}
"""
EVALUATION = """#version 460
layout(triangles) in;
layout(location = 0) in vec2 o[];
void main() { gl_Position = o[0].xyxy; }
"""


class CheckCommand(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.write("good.vert", WRITER % (4, 4))
        self.write("short.vert", WRITER % (3, 3))
        self.write("unwritten.vert", (WRITER % (4, 4)).replace("  n = vec4(1);\n", ""))
        self.write("a.frag", READER)
        self.write("bad.frag.spvasm", INT_INPUT)
        self.write("broken.frag", "#version 460\nvoid main() { o = 1; }\n")

    def tearDown(self):
        self.folder.cleanup()

    def write(self, name, text):
        with open(os.path.join(self.folder.name, name), "w", encoding="utf-8") as file:
            file.write(text)

    def check(self, *arguments):
        return self.run_command("check", *arguments)

    def run_command(self, command, *arguments):
        return subprocess.run([COMMAND, command, *arguments], cwd=self.folder.name, capture_output=True, text=True,
                              timeout=60)

    def test_exit_status(self):
        for arguments, status in ((("good.vert", "a.frag"), 0), (("short.vert", "a.frag"), 4),
                                  (("good.vert", "bad.frag.spvasm"), 3), (("good.vert", "broken.frag"), 2),
                                  (("good.vert", "missing.frag"), 1), ((), 1), (("--no-such-option",), 1)):
            with self.subTest(arguments=arguments):
                self.assertEqual(self.check(*arguments).returncode, status)

    def test_text_names_both_sides_and_the_rule(self):
        said = self.check("short.vert", "a.frag").stderr
        self.assertTrue(said.startswith("a.frag:5: error: location 0.w"), said)
        self.assertIn("short.vert", said)
        self.assertIn("[VUID-RuntimeSpirv-OpEntryPoint-08743]", said)

    def test_json(self):
        ran = self.check("--diagnostics=json", "short.vert", "a.frag")
        self.assertEqual((ran.returncode, ran.stderr), (4, ""))
        issue = json.loads(ran.stdout)["pipelines"][0]["issues"][0]
        self.assertEqual((issue["rule"], issue["severity"], issue["file"], issue["line"], issue["location"]),
                         ("missing-component", "error", "a.frag", 5, "0.w"))

    def test_json_of_what_cannot_be_read(self):
        issue = json.loads(self.check("--diagnostics=json", "missing.frag").stdout)["pipelines"][0]["issues"][0]
        self.assertEqual((issue["rule"], issue["file"]), ("cannot-read", "missing.frag"))

    def test_warnings_count_with_werror_only(self):
        self.assertEqual(self.check("unwritten.vert", "a.frag").returncode, 0)
        self.assertIn("warning", self.check("unwritten.vert", "a.frag").stderr)
        self.assertEqual(self.check("--werror", "unwritten.vert", "a.frag").returncode, 4)

    def test_limits(self):
        self.write("limits.json", '{"maxVertexOutputComponents": 8}')
        self.write("broken.json", "[")
        said = self.check("--limits", "limits.json", "good.vert", "a.frag")
        self.assertEqual(said.returncode, 4)
        self.assertIn("maxVertexOutputComponents (8)", said.stderr)
        self.assertEqual(self.check("--limits", "broken.json", "good.vert", "a.frag").returncode, 1)
        self.assertEqual(self.check("--limits", "missing.json", "good.vert", "a.frag").returncode, 1)

    def issues_of(self, *arguments):
        """Rule -> VUID of what the JSON report says."""
        ran = self.check("--diagnostics=json", *arguments)
        report = json.loads(ran.stdout)
        self.assertRegex(report["validator"], r"^SPIRV-Tools v20\d\d\.\d+")
        return {issue["rule"]: issue.get("vuid", "") for issue in report["pipelines"][0]["issues"]}

    def test_json_has_what_modules_and_limits_forbid(self):
        self.write("a.mesh", MESH)
        self.write("limits.json", '{"maxMeshOutputVertices": 2, "maxMeshWorkGroupSize": [4, 8, 8]}')
        found = self.issues_of("--limits", "limits.json", "a.mesh")
        if "invalid-module" not in found:  # newer validators count themselves
            self.assertEqual(found["mesh-output-counts"], "VUID-VkShaderModuleCreateInfo-pCode-08737")
            self.assertEqual(found["limit-mesh-vertices"], "VUID-RuntimeSpirv-MeshEXT-07115")
            self.assertEqual(found["limit-mesh-size-x"], "VUID-RuntimeSpirv-MeshEXT-07295")
        self.write("far.frag", READER.replace("location = 0) out", "location = 4) out"))
        self.assertEqual(self.issues_of("good.vert", "far.frag"),
                         {"limit-fragment-outputs": "VUID-RuntimeSpirv-Location-06272"})
        found = self.issues_of("good.vert", "a.mesh", "a.frag")
        self.assertEqual(found["stages-mixed"], "VUID-VkGraphicsPipelineCreateInfo-pStages-02095")

    def test_a_stage_twice(self):
        found = self.issues_of("good.vert", "vert=short.vert", "a.frag")
        self.assertEqual(found, {"cannot-read": "VUID-VkGraphicsPipelineCreateInfo-stage-06897"})

    def test_link_and_check_agree_about_the_letter(self):
        self.write("four.vert", READER.replace("in vec4 n", "out vec4 n").replace("o = n", "n = o = vec4(1)")
                   .replace("location = 0) out vec4 o", "location = 1) out vec4 o"))
        self.write("array.frag", READER.replace("vec4 n", "vec4 n[2]").replace("o = n", "o = n[0] + n[1]"))
        for arguments, status, severity in (((), 0, "warning"), (("--strict",), 4, "error")):
            for command in ("check", "link"):
                with self.subTest(command=command, arguments=arguments):
                    ran = self.run_command(command, *arguments, "four.vert", "array.frag")
                    self.assertEqual(ran.returncode, status, ran.stderr)
                    self.assertRegex(ran.stderr, severity + ".*VUID-RuntimeSpirv-OpVariable-08746")

    def test_what_only_old_validators_refuse(self):
        self.write("a.tesc", COMPONENT_OF_ARRAYS)
        self.write("a.tese", EVALUATION)
        for command in ("check", "link"):
            with self.subTest(command=command):
                ran = self.run_command(command, "a.tesc", "a.tese")
                self.assertEqual(ran.returncode, 0, ran.stderr)
                if "04924" not in ran.stderr:
                    continue  # the installed validator takes it
                self.assertRegex(ran.stderr, r"a.tesc: warning: the installed SPIRV-Tools refuse")
                ran = self.run_command(command, "--validator-known-issues=error", "a.tesc", "a.tese")
                self.assertEqual(ran.returncode, 3, ran.stderr)

    def test_says_which_validator_judged(self):
        for command in ("check", "link"):
            with self.subTest(command=command):
                ran = self.run_command(command, "good.vert", "bad.frag.spvasm")
                self.assertEqual(ran.returncode, 3)
                self.assertRegex(ran.stderr, r"note: judged by the SPIR-V validator of SPIRV-Tools v20\d\d\.\d+")

    def test_version_of_a_listing(self):
        listing = INT_INPUT.replace("OpDecorate %in Location 0", "OpDecorate %in Location 0\nOpDecorate %in Flat")
        for version, status in ((0, 0), (3, 0), (5, 3)):
            with self.subTest(version=version):
                self.write("v.frag.spvasm", f"; SPIR-V\n; Version: 1.{version}\n{listing}")
                ran = self.check("--target-env=vulkan1.1", "v.frag.spvasm")
                self.assertEqual(ran.returncode, status, ran.stderr)
        self.write("v.frag.spvasm", listing)
        self.assertEqual(self.check("--target-env=vulkan1.0", "v.frag.spvasm").returncode, 0)

    def test_manifest_is_reported_in_its_order_for_any_number_of_jobs(self):
        lines = [{"name": name, "stages": {"vert": vert, "frag": "a.frag"}}
                 for name, vert in (("z", "short.vert"), ("a", "good.vert"), ("m", "unwritten.vert"))]
        self.write("m.jsonl", "".join(json.dumps(line) + "\n" for line in lines))
        one, two = (self.check("--manifest", "m.jsonl", "-j", jobs) for jobs in ("1", "2"))
        self.assertEqual((one.returncode, one.stdout, one.stderr), (two.returncode, two.stdout, two.stderr))
        self.assertEqual([line.split(":")[0] for line in one.stderr.splitlines()], ["z", "m"])
        self.assertIn("3 pipelines, 1 clean, 1 errors, 1 warnings", one.stdout)


if __name__ == "__main__":
    unittest.main()
