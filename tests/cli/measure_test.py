"""varylink measure, with Mesa's driver of AMD, which compiles without a GPU. Skips itself where that is not installed."""
import glob
import json
import os
import unittest

from harness import CliTest

WORSE, NOT_MEASURED, NO_DRIVER = 6, 7, 8
RADEON = sorted(glob.glob("/usr/share/vulkan/icd.d/radeon_icd*.json"))

VERT = """#version 450
layout(location = 0) in vec4 p;
layout(location = 0) out vec4 color;
void main() { gl_Position = p; color = p; }
"""
FRAG = """#version 450
layout(location = 0) in vec4 color;
layout(location = 0) out vec4 o;
void main() { o = color; }
"""
LONG = FRAG.replace("o = color", "o = color; for (int i = 0; i < 9; ++i) o = sin(o * color.wzyx)")


class Measure(CliTest):
    def setUp(self):
        super().setUp()
        if not RADEON:
            self.skipTest("no driver that compiles without a GPU: mesa-vulkan-drivers is not installed")
        self.write("short/a.vert", VERT)
        self.write("short/b.frag", FRAG)
        self.write("long/a.vert", VERT)
        self.write("long/b.frag", LONG)

    def measure(self, first, second, *options, **environment):
        self.environment = {"RADV_FORCE_FAMILY": "navi21", "VK_DRIVER_FILES": RADEON[0], "VK_ICD_FILENAMES": RADEON[0],
                            "NODEVICE_SELECT": "1", **environment}
        run = self.run_cli("measure", f"{first}/a.vert", f"{first}/b.frag", "--against", f"{second}/a.vert",
                           f"{second}/b.frag", *options, env={**os.environ, **self.environment})
        if not environment and run.status == NO_DRIVER:
            self.skipTest(run.err)
        return run

    def test_each_stage_has_a_line(self):
        run = self.assert_ok(self.measure("short", "long"))
        self.assertRegex(run.out, r"(?m)^vert: unchanged$")
        self.assertRegex(run.out, r"(?m)^frag: .*Instructions \d+ -> \d+ \(\+\d+\.\d %\) WORSE")
        run = self.assert_ok(self.measure("long", "short"))
        self.assertRegex(run.out, r"(?m)^frag: .*Instructions \d+ -> \d+ \(-\d+\.\d %\)")
        self.assertNotIn("WORSE", run.out)

    def test_exit_status_for_what_is_worse(self):
        self.assertEqual(self.measure("short", "long", "--fail-above", "10").status, WORSE)
        self.assert_ok(self.measure("short", "long", "--fail-above", "100000"))
        self.assert_ok(self.measure("long", "short", "--fail-above", "0"))
        self.assert_ok(self.measure("short", "short", "--fail-above", "0"))

    def test_quiet_prints_what_is_worse(self):
        self.assertEqual(self.assert_ok(self.measure("long", "short", "-q")).out, "")
        self.assertIn("WORSE", self.assert_ok(self.measure("short", "long", "-q")).out)

    def test_json_has_all_statistics(self):
        result = json.loads(self.assert_ok(self.measure("short", "long", "--json")).out)
        self.assertIn("NAVI21", result["device"])
        self.assertEqual((result["stages"], result["worseStages"]), (2, 1))
        pipeline = result["pipelines"][0]
        self.assertEqual([each["stages"] for each in pipeline["before"]], [["vert"], ["frag"]])
        before, after = (pipeline[side][1]["statistics"]["Instructions"] for side in ("before", "after"))
        self.assertLess(before, after)
        self.assertGreater(result["sums"]["Instructions"]["after"], result["sums"]["Instructions"]["before"])

    def test_what_link_wrote(self):
        self.write("all.jsonl", json.dumps({"name": "x", "stages": {"vert": "short/a.vert", "frag": "long/b.frag"}}))
        self.assert_ok(self.run_cli("link", "--manifest", "all.jsonl", "-o", "out"))
        self.measure("short", "short")
        run = self.assert_ok(self.run_cli("measure", "--manifest", "all.jsonl", "--against", "out",
                                          env={**os.environ, **self.environment}))
        self.assertRegex(run.out, r"(?m)^x: frag: ")
        self.assertRegex(run.out, r"(?m)^Instructions \d+ -> \d+.*, \d+ better, \d+ worse$")
        self.assertIn("worse by more than 2 % in one of them: 0 of 2 stages", run.out)

    def test_what_the_device_does_not_have(self):
        mesh = """#version 460
#extension GL_EXT_mesh_shader : require
layout(local_size_x = 1) in;
layout(triangles, max_vertices = 3, max_primitives = 1) out;
layout(location = 0) out vec4 color[];
void main() {
  SetMeshOutputsEXT(3, 1);
  gl_PrimitiveTriangleIndicesEXT[0] = uvec3(0, 1, 2);
  for (int i = 0; i < 3; ++i) { gl_MeshVerticesEXT[i].gl_Position = vec4(i); color[i] = vec4(i); }
}
"""
        self.write("a.mesh", mesh)
        self.measure("short", "short")
        files = ["a.mesh", "short/b.frag", "--target-env", "vulkan1.3"]
        self.assert_ok(self.run_cli("link", *files, "-o", "out"))
        run = self.run_cli("measure", *files, "--against", "out",
                           env={**os.environ, **self.environment, "RADV_FORCE_FAMILY": "polaris10"})
        self.assertEqual(run.status, NOT_MEASURED, run)
        self.assertIn("not measured: ", run.out)
        self.assertIn("mesh", run.out)

    def test_link_measures_what_it_wrote(self):
        self.measure("short", "short")
        environment = {**os.environ, **self.environment}
        files = ["short/a.vert", "long/b.frag"]
        run = self.assert_ok(self.run_cli("link", *files, "-o", "out", "--measure", "--report", "r.json", "--html", "r.html",
                                          env=environment))
        self.assertRegex(run.out, r"(?m)^driver: frag: ")
        driver = json.loads((self.dir / "r.json").read_text())["pipelines"][0]["driver"]
        again = self.assert_ok(self.run_cli("measure", *files, "--against", "out", "--json", env=environment))
        measured = json.loads(again.out)
        self.assertEqual(driver.pop("device"), measured["device"])
        pipeline = measured["pipelines"][0]
        self.assertEqual([{each: side[each] for each in ("name", "stages")} for side in driver["before"] + driver["after"]],
                         [{each: side[each] for each in ("name", "stages")} for side in pipeline["before"] + pipeline["after"]])
        self.assertEqual(driver["changes"], pipeline["changes"])
        self.assertIn("worseBy", (self.dir / "r.html").read_text())
        self.assert_refused(1, "--fail-above needs --measure", "link", *files, "--fail-above", "3")

    def test_files_that_are_missing(self):
        self.assertEqual(self.measure("short", "missing").status, 1)

    def test_no_driver(self):
        run = self.measure("short", "long", VK_DRIVER_FILES="/nonexistent.json", VK_ICD_FILENAMES="/nonexistent.json")
        self.assertEqual(run.status, NO_DRIVER)
        self.assertIn("install a Vulkan driver", run.err)

    def test_a_driver_without_statistics(self):
        lavapipe = sorted(glob.glob("/usr/share/vulkan/icd.d/lvp_icd*.json"))
        if not lavapipe:
            self.skipTest("no lavapipe")
        run = self.measure("short", "long", VK_DRIVER_FILES=lavapipe[0], VK_ICD_FILENAMES=lavapipe[0])
        self.assertEqual(run.status, NO_DRIVER)
        if "no usable Vulkan driver" in run.err:
            self.skipTest("lavapipe cannot be loaded")
        self.assertIn("has no statistics (VK_KHR_pipeline_executable_properties)", run.err)


if __name__ == "__main__":
    unittest.main()
