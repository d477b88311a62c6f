#!/usr/bin/env python3
"""--features: one file says what the device enables; a layout that is refused names the option that takes it."""
import json
import unittest

from harness import CliTest

# Elements of twelve bytes.
SCALAR = """#version 450
#extension GL_EXT_scalar_block_layout : require
layout(location = 0) in vec4 p;
layout(set = 0, binding = 0, scalar) uniform U { float a; vec3 b[2]; };
layout(location = 0) out vec4 color;
void main() { gl_Position = p * a; color = vec4(b[1], a); }
"""
FRAG = """#version 450
layout(location = 0) in vec4 color;
layout(location = 0) out vec4 result;
void main() { result = color; }
"""


def profile(features=None, extensions=(), version=None):
    device = {"features": {"VkPhysicalDeviceVulkan12Features": features or {}},
              "extensions": {name: 1 for name in extensions}}
    if version:
        device["properties"] = {"VkPhysicalDeviceProperties": {"apiVersion": version}}
    return json.dumps({"capabilities": {"device": device}, "profiles": {}})


class Features(CliTest):
    def setUp(self):
        super().setUp()
        self.write("a.vert", SCALAR)
        self.write("b.frag", FRAG)

    def link(self, *options):
        return self.run_cli("link", "a.vert", "b.frag", "-o", "out", *options)

    def test_a_refused_layout_names_its_option(self):
        run = self.link()
        self.assertNotEqual(run.status, 0)
        self.assertIn("--scalar-block-layout", run.err)

    def test_a_profile_switches_it(self):
        self.write("on.json", profile({"scalarBlockLayout": True}))
        self.assert_ok(self.link("--features", "on.json"))

    def test_off_is_off(self):
        self.write("off.json", profile({"scalarBlockLayout": False}))
        self.assertNotEqual(self.link("--features", "off.json").status, 0)

    def test_the_version_is_the_environment(self):
        self.write("old.json", profile({"scalarBlockLayout": True}, version=(1 << 22) | (1 << 12)))
        report = self.dir / "report.json"
        self.assert_ok(self.link("--features", "old.json", "--report", str(report)))
        self.assertIn("vulkan1.1", report.read_text())
        self.assert_ok(self.link("--features", "old.json", "--target-env", "vulkan1.2", "--report", str(report)))
        self.assertIn("vulkan1.2", report.read_text())

    def test_an_extension_is_part_of_the_environment(self):
        self.write("angle.json", profile({"scalarBlockLayout": True}, ["VK_KHR_spirv_1_4"], version=(1 << 22) | (1 << 12)))
        self.assert_ok(self.link("--features", "angle.json"))
        self.assertEqual((self.dir / "out/a.vert.spv").read_bytes()[4:8], (0x10400).to_bytes(4, "little"))
        module = ["out/a.vert.spv", "out/b.frag.spv", "-o", "again"]
        self.assert_ok(self.run_cli("link", *module, "--scalar-block-layout", "--target-env", "vulkan1.1spv1.4"))
        self.assertNotEqual(self.run_cli("link", *module, "--scalar-block-layout", "--target-env", "vulkan1.1").status, 0)

    def test_other_files_are_refused(self):
        self.write("not.json", "[1, 2]")
        for file, said in (("not.json", "Vulkan profile"), ("none.json", "none.json")):
            run = self.link("--features", file)
            self.assertEqual(run.status, 1, run)
            self.assertIn(said, run.err)


if __name__ == "__main__":
    unittest.main()
