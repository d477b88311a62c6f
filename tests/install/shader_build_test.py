"""varylink_link_pipeline: a build with Ninja makes again what a change touches, and nothing else."""

import json
import os
import shutil
import unittest

from harness import SAMPLES, InstallTest

LIT, SKY, PACK = "Linking shader pipeline lit", "Linking shader pipeline sky", "Packing shaders"


class ShaderBuild(InstallTest):
    def setUp(self):
        self.source = self.scratch / self.id() / "source"
        self.binary = self.scratch / self.id() / "build"
        shutil.copytree(SAMPLES / "shader_build", self.source)
        self.configure(self.source, self.binary)

    def steps(self):
        """What a build does now."""
        said = self.build(self.binary)
        return {step for step in (LIT, SKY, PACK) if step in said}

    def edit(self, name, old, new):
        path = self.source / name
        text = path.read_text()
        self.assertIn(old, text)
        path.write_text(text.replace(old, new))

    def times(self):
        return {path.name: path.stat().st_mtime_ns for path in (self.binary / "shaders").iterdir()}

    def test_what_is_made_again(self):
        self.assertEqual(self.steps(), {LIT, SKY, PACK})
        self.assertEqual(sorted(self.times()), ["lit.frag.spv", "lit.vert.spv", "sky.frag.spv", "sky.vert.spv"])
        self.assertEqual(self.steps(), set())

        # An include of one pipeline: the other is left alone, and of the one only the stage that really changed.
        before = self.times()
        self.edit("light.glsl", "vec3(0.5)", "vec3(0.25)")
        self.assertEqual(self.steps(), {LIT, PACK})
        after = self.times()
        self.assertEqual({name for name in after if after[name] != before[name]}, {"lit.frag.spv"})
        self.assertEqual(self.steps(), set())

        # Nothing but its time: the pipeline is linked, its modules stay, and nobody who uses them has work to do.
        os.utime(self.source / "light.glsl")
        self.assertEqual(self.steps(), {LIT})
        self.assertEqual(self.steps(), set())

        # An include of both, and a stage itself.
        self.edit("camera.glsl", "binding = 0", "binding = 1")
        self.assertEqual(self.steps(), {LIT, SKY, PACK})
        self.edit("sky.frag", "* 0.5", "* 0.75")
        self.assertEqual(self.steps(), {SKY, PACK})

    def test_a_new_include_is_followed(self):
        self.steps()
        (self.source / "gain.glsl").write_text("#define GAIN 1.0\n")
        self.edit("sky.frag", "in vec3 direction;",
                  '#extension GL_GOOGLE_include_directive : require\n#include "gain.glsl"\nin vec3 direction;')
        self.edit("sky.frag", "* 0.5", "* GAIN")
        self.assertEqual(self.steps(), {SKY, PACK})
        self.edit("gain.glsl", "1.0", "1.5")
        self.assertEqual(self.steps(), {SKY, PACK})

    def test_an_error_fails_the_build_and_keeps_the_results(self):
        self.steps()
        before = self.times()
        self.edit("sky.frag", "normalize", "normalise")
        with self.assertRaisesRegex(AssertionError, "normalise"):
            self.build(self.binary)
        self.assertEqual(self.times(), before)
        self.edit("sky.frag", "normalise", "normalize")
        self.assertEqual(self.steps(), {SKY})

    def test_state_and_specialization(self):
        """State in the build or in a file, and values of constants: the pipeline is linked again when they change."""
        (self.source / "switch.vert").write_text(
            "#version 450\nlayout(location = 0) in vec4 p;\nlayout(location = 0) out vec4 a;\n"
            "layout(location = 1) centroid out vec4 b;\nvoid main() { gl_Position = p; a = p * p; b = sqrt(p); }\n")
        (self.source / "switch.frag").write_text(
            "#version 450\nlayout(constant_id = 3) const int kind = 0;\nlayout(location = 0) in vec4 a;\n"
            "layout(location = 1) centroid in vec4 b;\nlayout(location = 0) out vec4 o;\n"
            "void main() { o = kind == 4 ? a : b; }\n")
        self.edit("CMakeLists.txt", "# What a program would do", 'varylink_link_pipeline(\n  NAME switch\n  STAGES switch.vert '
                  'switch.frag\n  OUTPUT_DIR shaders\n  OPTIONS --report switch.json\n  STATE [[{"rasterizationSamples": 1}]]\n'
                  '  SPECIALIZATION frag:3=4)\n\n# What a program would do')
        self.assertIn("Linking shader pipeline switch", self.build(self.binary))

        def assumed():
            report = json.loads((self.binary / "switch.json").read_text())["pipelines"][0]
            return report.get("assumes", {}).get("specialization"), report["interfaces"][0]["after"]["locations"]

        self.assertEqual(assumed(), ({"frag": {"3": "4"}}, 1))
        self.assertNotIn("switch", self.build(self.binary))
        self.edit("CMakeLists.txt", "frag:3=4", "frag:3=5")
        self.assertIn("Linking shader pipeline switch", self.build(self.binary))
        self.assertEqual(assumed()[0], {"frag": {"3": "5"}})

        # A file, and a file that it names in turn, which only the dependency file of the result knows.
        self.edit("CMakeLists.txt", 'STATE [[{"rasterizationSamples": 1}]]\n  SPECIALIZATION frag:3=5', "STATE state.json")
        (self.source / "layout.json").write_text('{"bindings": []}')
        state = self.source / "state.json"
        state.write_text('{"layout": "layout.json", "state": {"rasterizationSamples": 1}}')
        self.assertIn("Linking shader pipeline switch", self.build(self.binary))
        self.assertEqual(assumed(), (None, 2))
        self.assertNotIn("switch", self.build(self.binary))
        (self.source / "layout.json").write_text('{"bindings": [], "pushConstants": []}')
        self.assertIn("Linking shader pipeline switch", self.build(self.binary))
        state.write_text('{"state": {"topology": "TRIANGLE_LIST"}}')
        self.assertIn("Linking shader pipeline switch", self.build(self.binary))
        self.edit("CMakeLists.txt", "STATE state.json", "STATE state.json SPECIALIZATION frag:3=1")
        with self.assertRaisesRegex(AssertionError, "SPECIALIZATION stands in it"):
            self.configure(self.source, self.binary)
        self.edit("CMakeLists.txt", "STATE state.json SPECIALIZATION frag:3=1", "SPECIALIZATION 3=1")
        with self.assertRaisesRegex(AssertionError, "STAGE:ID=VALUE"):
            self.configure(self.source, self.binary)

    def test_options_and_misuse(self):
        self.steps()
        self.edit("CMakeLists.txt", "-DLIGHTS=2", "-DLIGHTS=3")
        self.assertEqual(self.steps(), {LIT, PACK})
        for old, new, message in (("STAGES sky.vert sky.frag", "STAGES sky.vert sky.glsl", "which stage is"),
                                  ("NAME sky", "TITLE sky", "unknown argument")):
            self.edit("CMakeLists.txt", old, new)
            with self.assertRaisesRegex(AssertionError, message):
                self.configure(self.source, self.binary)
            self.edit("CMakeLists.txt", new, old)


if __name__ == "__main__":
    unittest.main()
