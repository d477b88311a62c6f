"""varylink link --limits: links harder until a pipeline fits into a device."""
import json
import pathlib
import unittest

from harness import CliTest

SAMPLES = pathlib.Path(__file__).resolve().parent.parent.parent / "samples" / "shaders"

VERT = """#version 450
layout(location = 0) in vec4 p;
layout(location = 1) in vec4 q;
layout(location = 0) out vec4 color;
layout(location = 1) out vec4 glow;
layout(location = 2) out vec4 unread;
void main() { gl_Position = p; color = sin(q); glow = cos(q); unread = q; }
"""
# Eight components at -O1, four at -O2.
SUM = """#version 450
layout(location = 0) in vec4 color;
layout(location = 1) in vec4 glow;
layout(location = 0) out vec4 o;
void main() { o = color + glow; }
"""
# Four at -O3 only: what is compared has to be the same sum.
FRAG = """#version 450
layout(location = 0) in vec4 color;
layout(location = 1) in vec4 glow;
layout(location = 0) out vec4 o;
void main() { vec4 sum = color + glow; o = vec4(sum.xy, sum.z + sum.w > 0.5 ? 1.0 : 0.0, 1.0); }
"""
NEEDS_ALL = FRAG.replace("color + glow", "color * glow.wzyx")


class Limits(CliTest):
    def limits(self, **limits):
        self.write("limits.json", json.dumps(limits))

    def pipeline(self, *options, vert=VERT, frag=FRAG, status=0):
        self.write("a.vert", vert)
        self.write("a.frag", frag)
        result = self.run_cli("link", "a.vert", "a.frag", "-o", "out", "--limits", "limits.json", "--report", "r.json", *options)
        self.assertEqual(result.status, status, result)
        self.output = result
        return json.loads((self.dir / "r.json").read_text())["pipelines"][0]

    def test_what_fits_is_linked_as_always(self):
        self.limits(maxVertexOutputComponents=64)
        self.assertEqual(self.pipeline("-O1")["limits"], {"fits": True, "means": []})
        self.run_cli("link", "a.vert", "a.frag", "-o", "plain", "-O1")
        self.assertEqual((self.dir / "out/a.vert.spv").read_bytes(), (self.dir / "plain/a.vert.spv").read_bytes())

    def test_it_links_harder_until_it_fits(self):
        self.limits(maxFragmentInputComponents=4)
        self.assertEqual(self.pipeline("-O1", frag=SUM)["limits"], {"fits": True, "means": ["-O2"]})
        fit = self.pipeline("-O1")["limits"]
        self.assertTrue(fit["fits"])
        self.assertEqual(fit["means"][-1], "-O3")
        self.assertIn("fits into the limits, with -O2", self.output.out)

    def test_a_result_is_proved_as_what_it_was_linked_as(self):
        self.limits(maxFragmentInputComponents=4)
        proof = self.pipeline("-O1", "--prove", "require", frag=SUM)["proof"]
        self.assertEqual((proof["verdict"], proof["level"]), ("proved", 2))

    def test_it_fits_at_no_higher_price_and_is_proved(self):
        self.limits(maxFragmentInputComponents=4)
        pipeline = self.pipeline("-O1", "--max-fragment-cost", "100", "--prove", "fallback", frag=SUM)
        self.assertEqual(pipeline["limits"], {"fits": True, "means": ["-O2"]})
        self.assertEqual(pipeline["fragment_cost"]["means"], [])
        self.assertLessEqual(pipeline["fragment_cost"]["percent"], 100)
        self.assertEqual((pipeline["proof"]["verdict"], pipeline["proof"]["level"]), ("proved", 2))

    def test_no_stage_gets_costlier_to_fit(self):
        self.limits(maxVertexOutputComponents=11)
        vert, frag = ((SAMPLES / f"quick.{stage}").read_text(encoding="utf-8") for stage in ("vert", "frag"))
        self.assertTrue(self.pipeline(vert=vert, frag=frag)["limits"]["fits"])
        self.pipeline("--no-costlier-stage", vert=vert, frag=frag, status=4)

    def test_warnings_of_the_link_are_kept(self):
        self.limits(maxFragmentInputComponents=4)
        lost = "layout(location = 3) {} float lost;\nvoid"
        self.pipeline(vert=VERT.replace("void", lost.format("out")), status=4,
                      frag=NEEDS_ALL.replace("void", lost.format("in")).replace("1.0); }", "1.0); o.x += lost; }"))
        self.assertIn("declares and never writes it", self.output.err)
        self.assertIn("maxFragmentInputComponents", self.output.err)

    def test_what_cannot_fit_is_not_written(self):
        self.limits(maxFragmentInputComponents=4)
        pipeline = self.pipeline(frag=NEEDS_ALL, status=4)
        self.assertFalse(pipeline["limits"]["fits"])
        self.assertIn("maxFragmentInputComponents", self.output.err)
        self.assertIn("4 components too many; the largest are color (4), glow (4)", self.output.err)
        self.assertIn("a.frag", self.output.err)
        self.assertFalse((self.dir / "out/a.frag.spv").exists())

    def test_check_says_the_same_without_linking(self):
        self.limits(maxFragmentInputComponents=4)
        self.write("a.vert", VERT)
        self.write("a.frag", NEEDS_ALL)
        result = self.run_cli("check", "a.vert", "a.frag", "--limits", "limits.json")
        self.assertEqual(result.status, 4)
        self.assertIn("4 components too many; the largest are color (4), glow (4)", result.out + result.err)

    def test_a_profile_of_a_device(self):
        self.limits(capabilities={
            "baseline": {"properties": {"VkPhysicalDeviceProperties": {"limits": {"maxFragmentInputComponents": 100}}}},
            "small": {"properties": {"VkPhysicalDeviceProperties": {"limits": {"maxFragmentInputComponents": 4}}}}})
        self.assertEqual(self.pipeline("-O1", frag=SUM)["limits"]["means"], ["-O2"])

    def test_named_passes_and_levels_are_kept(self):
        self.limits(maxFragmentInputComponents=4)
        pipeline = self.pipeline("--passes", "remove-dead-varyings,assign-locations", status=4)
        self.assertNotIn("-O3", pipeline["limits"]["means"])

    def test_attributes_that_nobody_reads(self):
        self.limits(maxVertexInputAttributes=1)
        self.write("a.vert", VERT.replace("color = sin(q); glow = cos(q);", "color = p; glow = p;"))
        self.write("a.frag", FRAG)
        result = self.run_cli("link", "a.vert", "a.frag", "-o", "out", "--limits", "limits.json", "--report", "r.json")
        self.assertEqual(result.status, 0, result)
        self.assertEqual(json.loads((self.dir / "r.json").read_text())["pipelines"][0]["limits"]["means"][-1], "--strip-unused-attributes")

    def shared(self, sharing, status, vert=VERT, **fragments):
        """Pipelines of one vertex stage, by name."""
        self.write("a.vert", vert)
        for name, text in fragments.items():
            self.write(f"{name}.frag", text)
        self.write("m.jsonl", "".join(json.dumps({"name": name, "stages": {"vert": "a.vert", "frag": f"{name}.frag"}}) + "\n"
                                      for name in fragments))
        self.output = self.run_cli("link", "-O1", "--manifest", "m.jsonl", "-o", "out", "--limits", "limits.json", "--report",
                                   "r.json", *sharing)
        self.assertEqual(self.output.status, status, self.output)
        return {each["name"]: each for each in json.loads((self.dir / "r.json").read_text())["pipelines"]}

    def test_what_is_linked_together_is_linked_harder_together(self):
        self.limits(maxFragmentInputComponents=4)
        pipelines = self.shared(["--share", "cluster"], 0, one=SUM, two=SUM.replace("color + glow", "(color + glow).wzyx"))
        for pipeline in pipelines.values():
            self.assertEqual(pipeline["limits"], {"fits": True, "means": ["-O2"]})

    def test_a_shared_module_stays_one(self):
        self.limits(maxVertexInputAttributes=1)
        plain = VERT.replace("color = sin(q); glow = cos(q);", "color = p; glow = p;")
        pipelines = self.shared(["--share", "union"], 0, vert=plain, one=SUM, two=NEEDS_ALL)
        for pipeline in pipelines.values():
            self.assertEqual(pipeline["limits"]["means"][-1], "--strip-unused-attributes")
        vertex = {stage["output"] for pipeline in pipelines.values() for stage in pipeline["stages"] if stage["stage"] == "vert"}
        self.assertEqual(len(vertex), 1)

    def test_of_what_is_linked_together_only_what_does_not_fit_fails(self):
        self.limits(maxFragmentInputComponents=4)
        pipelines = self.shared(["--share", "specialize"], 4, one=SUM, two=NEEDS_ALL)
        self.assertEqual([pipelines[name]["limits"]["fits"] for name in ("one", "two")], [True, False])
        self.assertIn("two: ", self.output.err)
        self.assertIn("4 components too many", self.output.err)

    def test_pipelines_of_an_invariance_group(self):
        self.limits(maxFragmentInputComponents=4)
        pipelines = self.shared(["--invariance-group", "one,two"], 0, one=SUM, two=SUM)
        self.assertTrue(all(pipeline["limits"]["fits"] for pipeline in pipelines.values()))

    def test_a_file_that_has_no_limits(self):
        self.write("limits.json", "[]")
        self.pipeline_error("is not a JSON object of device limits")
        self.limits(maxImageDimension2D=4096)
        self.pipeline_error("has none of the limits that are checked")
        self.limits(maxFragmentInputComponents="many")
        self.pipeline_error("maxFragmentInputComponents is not a number")

    def pipeline_error(self, text):
        self.write("a.vert", VERT)
        self.write("a.frag", FRAG)
        result = self.run_cli("link", "a.vert", "a.frag", "--limits", "limits.json")
        self.assertEqual(result.status, 1)
        self.assertIn(text, result.err)


if __name__ == "__main__":
    unittest.main()
