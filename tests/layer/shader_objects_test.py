"""Shader objects under the Vulkan layer: the same pictures and binaries as without, and what the summary says.

VARYLINK is the command, LAYER_SCENE the program (scene.cpp). Skips itself (77) where the driver has no shader objects.
"""

import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

import layer_test

# Way to come by shader objects -> sets that are linked.
LINKED = {"shader-objects": 1, "shader-objects-geometry": 0, "shader-objects-open-end": 0, "shader-objects-unlinked": 0, "shader-objects-one-stage": 0, "shader-objects-specialized": 2,
          "shader-objects-mixed": 1, "shader-objects-binary": 1, "shader-objects-refused-binary": 1, "shader-objects-not-understood": 1,
          "shader-objects-destroyed-layouts": 2, "shader-objects-threads": 16}
NO_LINK_STAGE = "it is a shader object without LINK_STAGE"
PASSED_THROUGH = {"shader-objects-geometry": {"the stream that it rasterizes is a dynamic state": 1},
                  "shader-objects-open-end": {"a shader of another call may be bound with it": 1, NO_LINK_STAGE: 1},
                  "shader-objects-unlinked": {NO_LINK_STAGE: 2},
                  "shader-objects-one-stage": {"it has one stage": 2},
                  "shader-objects-mixed": {NO_LINK_STAGE: 2},
                  "shader-objects-binary": {"it has binary code": 1},
                  "shader-objects-not-understood": {"its stages differ in their layout": 1,
                                                    "it has flags that change what its stages mean": 1,
                                                    "a stage has a structure that is not copied, of type 1000128000": 1},
                  "shader-objects-refused-binary": {NO_LINK_STAGE: 1}}


class Ways(layer_test.LayerTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        stages = [layer_test.SHADERS / f"scene.{stage}" for stage in ("vert", "geom", "frag")]
        cls.command("link", "-O0", "-q", *stages, "-o", f"{cls.dir}/geometry/")
        (cls.dir / "geometry/scene.geom.spv").rename(cls.dir / "scene.geom.spv")

    def test_pictures_are_the_same_and_sets_linked(self):
        for way, linked in LINKED.items():
            with self.subTest(way):
                report = self.check_way(way, linked, PASSED_THROUGH.get(way, {}))
                self.assertEqual({each["stages"] for each in report["pipelines"] if each["outcome"] == "linked"},
                                 {"vert frag" if way != "shader-objects-mixed" else "frag vert"} if linked else set())

    def test_the_picture_is_that_of_pipelines(self):
        self.assertEqual(self.plain("shader-objects"), self.plain("modules"))
        self.assertEqual(self.plain("shader-objects-specialized"), self.plain("specialized"))
        self.assertNotEqual(self.plain("shader-objects"), self.plain("shader-objects-specialized"))

    def test_hidden_shader_objects(self):
        run = self.run_program(layer_test.VARYLINK, "run", "-q", "--hide-libraries", "--", layer_test.SCENE, "shader-objects",
                               self.dir, self.dir / "frame")
        self.assertEqual(run.returncode, layer_test.SKIP, run.stderr)

    def test_the_validation_layer_below_says_nothing_new(self):
        env = layer_test.environment(VK_INSTANCE_LAYERS="VK_LAYER_KHRONOS_validation")
        words = (layer_test.SCENE, "shader-objects", self.dir, self.dir / "frame")
        alone = self.run_program(*words, env=env)
        if alone.returncode != 0:
            self.skipTest("no validation layer that knows shader objects")
        linked = self.run_program(layer_test.VARYLINK, "run", "-q", "--", *words, env=env)
        self.assertEqual(linked.stdout.count("VUID"), alone.stdout.count("VUID"), linked.stdout)


class Binaries(layer_test.LayerTest):
    def files(self, frame):
        return [(self.dir / f"{frame}.{stage}").read_bytes() for stage in ("vert", "frag")]

    def test_they_are_those_of_the_program(self):
        self.under("shader-objects-binary")
        without = self.files("shader-objects-binary.plain")
        self.assertGreater(min(map(len, without)), 0)
        self.assertEqual(self.files("frame"), without)

    def said(self, way):
        run = self.run_program(layer_test.VARYLINK, "run", "--", layer_test.SCENE, way, self.dir, self.dir / "frame")
        self.assertEqual(run.returncode, 0, run.stderr)
        return run.stdout.splitlines(), run.stderr

    def test_layouts_that_were_destroyed(self):
        layer = pathlib.Path(layer_test.VARYLINK).resolve().parent / "layer"
        env = layer_test.environment(VK_ADD_LAYER_PATH=str(layer), VK_INSTANCE_LAYERS="VK_LAYER_VARYLINK_link")
        run = self.run_program(layer_test.SCENE, "shader-objects-destroyed-layouts", self.dir, self.dir / "frame", env=env)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual(run.stdout.splitlines(), ["binary 0", "binary -1", "binary -1"])  # VK_ERROR_OUT_OF_HOST_MEMORY
        self.assertEqual(run.stderr.count("their descriptor set layouts were destroyed"), 1, run.stderr)

    def test_a_binary_that_is_refused_takes_nothing_else(self):
        out, _ = self.said("shader-objects-refused-binary")
        plain = self.run_program(layer_test.SCENE, "shader-objects-refused-binary", self.dir, self.dir / "frame")
        self.assertEqual(out, plain.stdout.splitlines())


class Modes(layer_test.LayerTest):
    """What is done with pipelines is done with sets of shader objects."""

    WAY = "shader-objects-specialized"

    def test_recorded_linked_and_used(self):
        recorded, out = self.dir / "recorded", self.dir / "out"
        report, _ = self.under(self.WAY, "--record", recorded)
        self.assertEqual(report["summary"]["recorded"], 2)
        lines = [json.loads(line) for line in (recorded / "manifest.jsonl").read_text().splitlines()]
        self.assertEqual(lines[0]["layout"]["pushConstants"], [{"offset": 0, "size": 24, "stages": ["vert", "frag"]}])
        self.assertEqual(lines[0]["stages"]["frag"]["specialization"], {"0": 2})
        self.assertNotIn("state", lines[0])  # all of it is dynamic
        self.command("link", f"@{recorded}/options.txt", "-O1", "-q", "--manifest", recorded / "manifest.jsonl", "-o", out)
        used, _ = self.under(self.WAY, "--use", out)
        self.assertEqual(used["summary"]["linked"], 2)

    def test_a_cache(self):
        for from_cache in (0, 2):
            report, _ = self.under(self.WAY, "--cache", self.dir / "cache")
            self.assertEqual(report["summary"]["fromCache"], from_cache)

    def test_a_budget(self):
        report, _ = self.under(self.WAY, "--link-budget", "0")
        self.assertEqual(report["summary"]["reasons"], {"linking it takes more steps than the budget has": 2})


def has_shader_objects():
    with tempfile.TemporaryDirectory() as folder:
        stages = [layer_test.SHADERS / f"scene.{stage}" for stage in ("vert", "frag")]
        subprocess.run([layer_test.VARYLINK, "link", "-O0", "-q", *stages, "-o", f"{folder}/"], check=True)
        run = subprocess.run([layer_test.SCENE, "shader-objects", folder, pathlib.Path(folder) / "frame"],
                             env=layer_test.environment(), check=False)
        return run.returncode != layer_test.SKIP


if __name__ == "__main__":
    if not has_shader_objects():
        sys.exit(layer_test.SKIP)
    unittest.main()
