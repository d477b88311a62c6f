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
        return subprocess.run([COMMAND, "check", *arguments], cwd=self.folder.name, capture_output=True, text=True,
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
