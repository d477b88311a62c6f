"""varylink_link_pipeline: a build with Ninja makes again what a change touches, and nothing else."""

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
