"""varylink_link_pipeline and varylink_link_manifest with old policies, other generators, and names that are taken."""

import json
import shutil
import unittest

from harness import CMAKE, SAMPLES, SourceTest, run

PROJECT = """cmake_minimum_required(VERSION 3.16)
project(shaders LANGUAGES NONE)
find_package(varylink CONFIG REQUIRED)
add_custom_target(lit ALL)
varylink_link_pipeline(NAME lit STAGES lit.vert lit.frag OPTIONS -DLIGHTS=2 OUTPUTS lit)
varylink_link_pipeline(NAME world/sky STAGES sky.vert sky.frag OUTPUT_DIR shaders)
varylink_link_pipeline(NAME sky/again TARGET again STAGES sky.vert sky.frag)
varylink_link_manifest(NAME all/of-them MANIFEST all.jsonl OUTPUT_DIR all OPTIONS -DLIGHTS=2 OUTPUTS all)
add_custom_command(OUTPUT pack COMMAND ${CMAKE_COMMAND} -E cat ${lit} ${all} > pack DEPENDS ${lit} ${all} COMMENT "Packing" VERBATIM)
add_custom_target(packed ALL DEPENDS pack)
if(TARGET lit_pipeline AND TARGET world_sky AND TARGET again AND TARGET all_of-them)
  message(STATUS "all targets are there")
endif()
"""
LIT, WORLD, AGAIN, ALL = "pipeline lit", "pipeline world/sky", "pipeline sky/again", "pipelines of all/of-them"
PACK = "Packing"


class AnyProject(SourceTest):
    def setUp(self):
        self.source = self.scratch / self.id() / "source"
        self.binary = self.scratch / self.id() / "build"
        shutil.copytree(SAMPLES / "shader_build", self.source)
        (self.source / "CMakeLists.txt").write_text(PROJECT)
        lines = [{"name": "lit", "stages": {"vert": "lit.vert", "frag": "lit.frag"}},
                 {"name": "far/sky", "stages": {"vert": "sky.vert", "frag": "sky.frag"}}]
        (self.source / "all.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))

    def steps(self):
        said = self.build(self.binary)
        return {step for step in (LIT, WORLD, AGAIN, ALL, PACK) if step in said}

    def check(self, generator, after_a_comment):
        said = run(CMAKE, "-S", self.source, "-B", self.binary, "-G", generator, f"-DCMAKE_PREFIX_PATH={self.prefix}")
        self.assertIn("all targets are there", said)
        self.assertEqual(self.steps(), {LIT, WORLD, AGAIN, ALL, PACK})
        for name in ("lit.vert.spv", "shaders/world/sky.frag.spv", "sky/again.vert.spv", "all/far/sky/frag.spv"):
            self.assertTrue((self.binary / name).is_file(), name)
        self.assertEqual(self.steps(), set())
        # An include that is not in any list of the project, with and without an effect.
        self.edit("light.glsl", "vec3(0.5)", "vec3(0.25)")
        self.assertEqual(self.steps(), {LIT, ALL, PACK})
        self.assertEqual(self.steps(), set())
        self.edit("light.glsl", "vec3(0.25)", "vec3(0.25) /* */")
        self.assertEqual(self.steps(), after_a_comment)
        self.assertEqual(self.steps(), set())

    def test_ninja(self):
        self.check("Ninja", {LIT, ALL})
        # A pipeline that the manifest gets later.
        with (self.source / "all.jsonl").open("a") as manifest:
            manifest.write(json.dumps({"name": "new", "stages": {"vert": "sky.vert", "frag": "sky.frag"}}) + "\n")
        self.assertEqual(self.steps(), {ALL, PACK})
        self.assertTrue((self.binary / "all/new/vert.spv").is_file())
        self.assertEqual(self.steps(), set())

    @unittest.skipUnless(shutil.which("make"), "make is not installed")
    def test_make(self):
        self.check("Unix Makefiles", {LIT, ALL, PACK})

    def test_results_of_a_shared_manifest_are_not_known_before(self):
        self.edit("CMakeLists.txt", "OPTIONS -DLIGHTS=2 OUTPUTS all", "OPTIONS --share union OUTPUTS all")
        with self.assertRaisesRegex(AssertionError, "cannot be known"):
            self.configure(self.source, self.binary)


if __name__ == "__main__":
    unittest.main()
