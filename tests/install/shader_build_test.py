"""varylink_link_pipeline: a build with Ninja makes again what a change touches, and nothing else."""

import json
import shutil
import unittest

from harness import CMAKE, SAMPLES, SourceTest, run

LIT, SKY, PACK = "Linking shader pipeline lit", "Linking shader pipeline sky", "Packing shaders"


class ShaderBuild(SourceTest):
    def setUp(self):
        self.source = self.scratch / self.id() / "source"
        self.binary = self.scratch / self.id() / "build"
        shutil.copytree(SAMPLES / "shader_build", self.source)
        self.configure(self.source, self.binary)

    def steps(self):
        """What a build does now."""
        said = self.build(self.binary)
        return {step for step in (LIT, SKY, PACK) if step in said}

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
        self.touch("light.glsl")
        self.assertEqual(self.steps(), {LIT})
        self.assertEqual(self.steps(), set())

        # An include of both, and a stage itself.
        self.edit("camera.glsl", "binding = 0", "binding = 1")
        self.assertEqual(self.steps(), {LIT, SKY, PACK})
        self.edit("sky.frag", "* 0.5", "* 0.75")
        self.assertEqual(self.steps(), {SKY, PACK})

    def test_a_new_include_is_followed(self):
        self.steps()
        self.write("gain.glsl", "#define GAIN 1.0\n")
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
        self.write("layout.json", '{"bindings": []}')
        self.write("state.json", '{"layout": "layout.json", "state": {"rasterizationSamples": 1}}')
        self.assertIn("Linking shader pipeline switch", self.build(self.binary))
        self.assertEqual(assumed(), (None, 2))
        self.assertNotIn("switch", self.build(self.binary))
        self.write("layout.json", '{"bindings": [], "pushConstants": []}')
        self.assertIn("Linking shader pipeline switch", self.build(self.binary))
        self.write("state.json", '{"state": {"topology": "TRIANGLE_LIST"}}')
        self.assertIn("Linking shader pipeline switch", self.build(self.binary))
        self.edit("CMakeLists.txt", "STATE state.json", "STATE state.json SPECIALIZATION frag:3=1")
        with self.assertRaisesRegex(AssertionError, "SPECIALIZATION stands in it"):
            self.configure(self.source, self.binary)
        self.edit("CMakeLists.txt", "STATE state.json SPECIALIZATION frag:3=1", "SPECIALIZATION 3=1")
        with self.assertRaisesRegex(AssertionError, "STAGE:ID=VALUE"):
            self.configure(self.source, self.binary)

    PAIR = {"a.vert": "#version 450\nlayout(location=0) in vec4 p; layout(location=0) out vec4 c;\n"
                      "void main() { c = p * 2.0; gl_Position = p; }\n",
            "a.frag": "#version 450\nlayout(location=0) in vec4 c; layout(location=0) out vec4 o;\nvoid main() { o = c; }\n"}
    DISCARD = '"state": {"rasterizerDiscardEnable": true}'

    def project(self, name, text, files):
        source = self.scratch / self.id() / name
        source.mkdir(parents=True)
        for file, content in {**self.PAIR, **files}.items():
            (source / file).write_text(content)
        (source / "CMakeLists.txt").write_text(
            "cmake_minimum_required(VERSION 3.25)\nproject(game LANGUAGES NONE)\n"
            "find_package(varylink 0.1 CONFIG REQUIRED COMPONENTS shared)\n" + text)
        return source, self.scratch / self.id() / f"{name}_build"

    def test_each_configuration_has_its_own_dependencies(self):
        source, binary = self.project("several", """
varylink_link_pipeline(NAME a STAGES a.vert a.frag OUTPUT_DIR linked/$<CONFIG> STATE [[{"rasterizationSamples": 1}]])
varylink_link_manifest(NAME every MANIFEST p.jsonl OUTPUT_DIR all/$<CONFIG>)
""", {"p.jsonl": '{"name": "m", "stages": {"vert": "a.vert", "frag": "a.frag"}}\n'})
        run(CMAKE, "-S", source, "-B", binary, "-G", "Ninja Multi-Config", f"-DCMAKE_PREFIX_PATH={self.prefix}")

        def build(configuration):
            return "Linking" in run(CMAKE, "--build", binary, "--config", configuration)

        self.assertEqual([build(each) for each in ("Debug", "Release", "Debug", "Release")], [True, True, False, False])
        for configuration in ("Debug", "Release"):
            self.assertTrue((binary / "linked" / configuration / "a.frag.spv").exists())
            self.assertTrue((binary / "all" / configuration / "m" / "frag.spv").exists())
        self.write(source / "a.frag", self.PAIR["a.frag"].replace("o = c", "o = c + 1.0"))
        self.assertEqual([build(each) for each in ("Debug", "Release", "Debug")], [True, True, False])

    def test_stages_that_are_not_rasterized(self):
        source, binary = self.project("discard", """
varylink_link_manifest(NAME all_shaders MANIFEST p.jsonl OUTPUT_DIR linked OUTPUTS out)
add_custom_command(OUTPUT pak COMMAND ${CMAKE_COMMAND} -E cat ${out} > pak DEPENDS ${out} VERBATIM)
add_custom_target(pack ALL DEPENDS pak)
varylink_link_pipeline(NAME d STAGES a.vert a.frag STATE [[{"rasterizerDiscardEnable": true}]] OUTPUT_DIR one OUTPUTS one)
varylink_link_manifest(NAME by_option MANIFEST p.jsonl OUTPUT_DIR other OPTIONS --pipeline-state
                       ${CMAKE_CURRENT_SOURCE_DIR}/discard.json OUTPUTS other)
message(STATUS "OUTPUTS ${out} ${one} ${other}")
""", {"p.jsonl": '{"name": "a", "stages": {"vert": "a.vert", "frag": "a.frag"}}\n'
                 '{"name": "d", "stages": {"vert": "a.vert", "frag": "a.frag"}, %s}\n' % self.DISCARD,
      "discard.json": "{%s}" % self.DISCARD})
        said = self.configure(source, binary)
        self.assertIn("d has no frag stage", said)
        named = said.split("OUTPUTS ")[1].splitlines()[0].replace(";", " ").split()
        self.build(binary)
        made = sorted(str(path) for path in binary.rglob("*.spv"))
        self.assertEqual(sorted(named), made)
        self.assertEqual([path for path in made if path.endswith("frag.spv")], [str(binary / "linked/a/frag.spv")])
        self.assertNotIn("Linking", self.build(binary))

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
