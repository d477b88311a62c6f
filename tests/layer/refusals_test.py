"""A driver that does not take linked code: the program gets what it wants, and nothing is left behind.

VARYLINK is the command, LAYER_SCENE the program (scene.cpp), REFUSING_LAYER the library of a layer that stands for the driver
(refusing_layer.cpp). Skips itself (77) where there is no Vulkan driver.
"""

import json
import os
import sys
import unittest

import layer_test

NAME = "VK_LAYER_VARYLINK_TEST_refusing"
PIPELINE = "the driver does not take the linked pipeline"
MODULE = "the driver does not take a linked module"
# Way, where it is refused, the reason, and how many times.
WAYS = [("modules", "pipeline", PIPELINE, 1), ("several", "pipeline", PIPELINE, 4), ("modules", "module", MODULE, 1),
        ("inline", "module", MODULE, 1), ("shader-objects", "shaders", PIPELINE, 1),
        ("shader-objects-specialized", "shaders", PIPELINE, 2)]


class Refusals(layer_test.LayerTest):
    def setUp(self):
        manifest = {"file_format_version": "1.2.0",
                    "layer": {"name": NAME, "type": "GLOBAL", "library_path": os.environ["REFUSING_LAYER"],
                              "api_version": "1.3.239", "implementation_version": "1", "description": "refuses"}}
        (self.dir / "refusing.json").write_text(json.dumps(manifest))

    def below(self, way, where):
        env = layer_test.environment(VK_INSTANCE_LAYERS=NAME, VK_ADD_LAYER_PATH=str(self.dir), REFUSING_LAYER_AT=where,
                                     REFUSING_LAYER_FOLDER=str(self.dir))
        self.plain(way)
        report = self.dir / "report.json"
        run = self.run_program(layer_test.VARYLINK, "run", "--report", report, "--", layer_test.SCENE, way, self.dir,
                               self.dir / "frame", "destroy", env=env)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual((self.dir / "frame").read_bytes(), self.plain(way))
        self.assertIn("left: 0\n", run.stdout)
        return json.loads(report.read_text())["summary"]

    def test_the_original_is_created(self):
        for way, where, reason, times in WAYS:
            with self.subTest(f"{way}, {where}"):
                if self.plain(way) is None:
                    continue
                summary = self.below(way, where)
                self.assertEqual((summary["linked"], summary["reasons"]), (0, {reason: times}))

    def test_without_refusals_the_layer_below_changes_nothing(self):
        self.assertEqual(self.below("modules", "nowhere")["linked"], 1)


if __name__ == "__main__":
    if not layer_test.has_driver():
        sys.exit(layer_test.SKIP)
    unittest.main()
