"""Other Vulkan layers in front of and behind this one: the program draws the same, its pipelines are linked, and the other layer
is there. Layers that are not installed skip (third_party/install-debian.sh --programs).

VARYLINK is the command, LAYER_SCENE the program (scene.cpp).
"""

import os
import pathlib
import re
import sys
import unittest

import layer_test
from layer_test import LayerTest, environment

FOLDERS = [pathlib.Path(each) / "vulkan" for each in ("/usr/share", "/usr/local/share", "/etc")]
OURS = "VK_LAYER_VARYLINK_link"
VALIDATION, CAPTURE = "VK_LAYER_KHRONOS_validation", "VK_LAYER_LUNARG_gfxreconstruct"
OF_VARIABLES = {"VK_LAYER_MANGOHUD_overlay": "MANGOHUD", "VK_LAYER_VKBASALT_post_processing": "ENABLE_VKBASALT"}
WAYS = ("modules", "inline", "specialized", "library-of-all-shaders")
INSERTED = re.compile(r'Inserted device layer "(\w+)"')  # the loader's words, from the driver on
CAN_BE_INSTRUMENTED = "VARYLINK_INSTRUMENTED" not in os.environ


def folder_of(layer):
    """Where its manifest is; None if it is not installed."""
    if layer == OURS:
        return pathlib.Path(layer_test.VARYLINK).resolve().parent / "layer"
    return next((path.parent for folder in FOLDERS for path in folder.glob("*_layer.d/*.json")
                 if f'"{layer}"' in path.read_text(errors="replace")), None)


class Beside(LayerTest):
    def check(self, named, **more):
        """`named`: the chain of explicit layers from the program on, `more`: variables that put others into it.

        The loader of Debian 12 (1.3.239) goes by the folders in which it finds layers, later ones by the names.
        """
        for way in WAYS:
            if self.plain(way) is None:
                continue
            with self.subTest(way):
                journal = self.dir / "journal.jsonl"
                journal.unlink(missing_ok=True)
                env = environment(VK_ADD_LAYER_PATH=":".join(str(folder_of(layer)) for layer in named),
                                  VK_INSTANCE_LAYERS=":".join(named), VK_VARYLINK_LINK_JOURNAL=str(journal), VK_LOADER_DEBUG="layer",
                                  GFXRECON_CAPTURE_FILE=str(self.dir / "capture.gfxr"), HOME=str(self.dir), **more)
                run = self.run_program(layer_test.SCENE, way, self.dir, self.dir / "frame", env=env)
                self.assertEqual(run.returncode, 0, run.stderr)
                self.assertEqual((self.dir / "frame").read_bytes(), self.plain(way))
                self.assertIn('"outcome":"linked"', journal.read_text())
                self.assertEqual([layer for layer in reversed(INSERTED.findall(run.stderr)) if layer in named], named)
                yield run

    def test_validation_in_front(self):
        self.validation([VALIDATION, OURS])

    def test_validation_behind(self):
        self.validation([OURS, VALIDATION])

    def validation(self, named):
        if not folder_of(VALIDATION):
            self.skipTest("no validation layer")
        for run in self.check(named):
            self.assertNotIn("VUID-VkShaderModuleCreateInfo", run.stdout)
            self.assertNotIn("VUID-VkGraphicsPipelineCreateInfo", run.stdout)

    def test_a_capture_behind(self):
        self.capture([OURS, CAPTURE])

    def test_a_capture_in_front(self):
        self.capture([CAPTURE, OURS])

    def capture(self, named):
        if not folder_of(CAPTURE):
            self.skipTest("GFXReconstruct is not installed")
        for _ in self.check(named):
            captures = list(self.dir.glob("capture*.gfxr"))
            self.assertEqual(len(captures), 1)
            captures[0].unlink()

    def test_layers_that_variables_name(self):
        there = {layer: variable for layer, variable in OF_VARIABLES.items() if folder_of(layer)}
        if not there:
            self.skipTest("none of " + ", ".join(OF_VARIABLES))
        for layer, variable in there.items():
            with self.subTest(layer):
                for run in self.check([OURS], **{variable: "1"}):
                    self.assertIn(layer, INSERTED.findall(run.stderr))


if __name__ == "__main__":
    if not CAN_BE_INSTRUMENTED or not layer_test.has_driver():
        sys.exit(layer_test.SKIP)
    unittest.main()
