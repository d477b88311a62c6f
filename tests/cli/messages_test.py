"""What people get wrong first: each message says what to type instead."""
import unittest

from harness import FRAG, VERT, CliTest
from one_module_test import MODULE

DYNAMIC_VERT = """#version 450
layout(location = 0) in vec4 p;
layout(location = 0) out vec2 c[3];
layout(location = 3) flat out int i;
layout(location = 4) out vec4 unread;
void main() { gl_Position = p; c[0] = p.xy; c[1] = p.zw; c[2] = p.wz; i = int(p.x); unread = p; }
"""
DYNAMIC_FRAG = """#version 450
layout(location = 0) in vec2 c[3];
layout(location = 3) flat in int i;
layout(location = 0) out vec4 t;
void main() { t = vec4(c[0] + c[2], interpolateAtCentroid(c[i])); }
"""


class Stages(CliTest):
    def test_shaders_of_other_pipelines(self):
        self.write("b.frag", FRAG)
        for name, kind in (("a.comp", "a compute shader"), ("a.comp.glsl", "a compute shader"), ("a.cs.hlsl", "a compute shader"),
                           ("a.rgen", "a ray tracing shader")):
            with self.subTest(name):
                self.write(name, "#version 450\nvoid main() {}\n")
                self.assert_refused(1, [f"{name}: error: {kind} is no stage of a graphics pipeline (vert, tesc,"], "link", name, "b.frag")

    def test_names_that_do_not_tell_the_stage(self):
        for name, example in (("a.glsl", "x.vert"), ("a.hlsl", "x.vs.hlsl")):
            with self.subTest(name):
                self.write(name, VERT)
                self.assert_refused(1, [f"name the file like {example}, or write vert={name}"], "link", name)

    def test_two_modules_with_both_stages(self):
        self.write("v.spvasm", MODULE)
        self.write("w.spvasm", MODULE)
        self.write("b.frag", FRAG)
        for files, hint in ((["v.spvasm", "w.spvasm"], "vert=v.spvasm frag=w.spvasm"), (["v.spvasm", "b.frag"], "vert=v.spvasm"),
                            (["b.frag", "v.spvasm"], "vert=v.spvasm")):
            with self.subTest(files):
                self.assert_refused(1, ["error: second file for stage", f"of a module with several stages take one: {hint}"], "link", *files)
        self.assert_ok(self.run_cli("link", "vert=v.spvasm", "frag=w.spvasm"))

    def test_two_files_for_a_stage(self):
        self.write_pair()
        run = self.run_cli("link", "a.vert", "frag=b.frag", "frag=b.frag")
        self.assertEqual(run.status, 1)
        self.assertNotIn("several stages", run.err)


class Manifests(CliTest):
    def refused(self, text, *parts):
        self.write("m.jsonl", text)
        self.assert_refused(1, ["m.jsonl:1: error: ", *parts], "link", "--manifest", "m.jsonl", "-o", "out")

    def test_array(self):
        for text in ('[{"name": "p", "stages": {}}]', "[\n  {}\n]"):
            self.refused(text, "is a JSON array; a manifest has one object a line: jq -c '.[]' FILE")

    def test_object_of_several_lines(self):
        self.refused('{\n  "name": "p",\n  "stages": {}\n}\n', "the object does not end on its line", "jq -c . FILE")

    def test_what_is_only_wrong(self):
        self.refused('{"name": "p" "stages": {}}', "column 21: is not JSON")
        self.refused("nonsense", "is not JSON")


class Proofs(CliTest):
    def test_interpolation_of_an_element_with_a_dynamic_index(self):
        self.write("a.vert", DYNAMIC_VERT)
        self.write("b.frag", DYNAMIC_FRAG)
        self.assert_ok(self.run_cli("link", "a.vert", "b.frag", "-o", "out"))
        self.assertIn("proved", self.assert_ok(self.run_cli("prove", "a.vert", "b.frag", "--against", "out")).out)
        self.write("other.frag", DYNAMIC_FRAG.replace("(c[i])", "(c[2 - i])"))
        self.assertNotEqual(self.run_cli("prove", "a.vert", "b.frag", "--against", "vert=a.vert", "frag=other.frag").status, 0)


if __name__ == "__main__":
    unittest.main()
