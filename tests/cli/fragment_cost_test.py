"""varylink link --max-fragment-cost: links less until a fragment shader costs no more than it may."""
import json
import unittest

from harness import CliTest

VERT = """#version 450
layout(location = 0) in vec4 p;
layout(location = 0) out vec4 tint;
layout(location = 1) out vec4 color;
layout(set = 0, binding = 0) uniform U { vec4 a, b; };
void main() { gl_Position = p; tint = sin(a) + cos(b); color = p; }
"""
FRAG = """#version 450
layout(location = 0) in vec4 tint;
layout(location = 1) in vec4 color;
layout(location = 0) out vec4 o;
layout(set = 0, binding = 0) uniform U { vec4 a, b; };
void main() { o = tint + color * a * b; }
"""


class FragmentCost(CliTest):
    def pipeline(self, *options, frag=FRAG):
        self.write("a.vert", VERT)
        self.write("a.frag", frag)
        self.output = self.assert_ok(self.run_cli("link", "a.vert", "a.frag", "-o", "out", "--report", "r.json", *options))
        return json.loads((self.dir / "r.json").read_text())["pipelines"][0]

    @staticmethod
    def slots(pipeline):
        cost, = (stage["cost"] for stage in pipeline["stages"] if stage["stage"] == "frag")
        return cost["before"]["slots"], cost["after"]["slots"]

    def test_without_a_limit_a_component_less_may_cost_code(self):
        pipeline = self.pipeline("--passes", "propagate-uniforms,assign-locations")
        before, after = self.slots(pipeline)
        self.assertGreater(after, before)
        self.assertNotIn("fragment_cost", pipeline)

    def test_it_links_less_until_it_costs_no_more(self):
        pipeline = self.pipeline("--passes", "propagate-uniforms,assign-locations", "--max-fragment-cost", "100")
        before, after = self.slots(pipeline)
        self.assertLessEqual(after, before)
        self.assertLessEqual(pipeline["fragment_cost"]["percent"], 100)
        self.assertEqual(pipeline["fragment_cost"]["means"][0], "a quarter of the uniform expressions' limit")
        self.assertIn("of its cost, with a quarter", self.output.out)

    def test_what_costs_no_more_is_linked_as_always(self):
        cost = self.pipeline("--passes", "propagate-uniforms,assign-locations", "--max-fragment-cost", "1000")["fragment_cost"]
        self.assertGreater(cost["percent"], 100)
        self.assertEqual(cost["means"], [])
        limited = (self.dir / "out/a.frag.spv").read_bytes()
        self.pipeline("--passes", "propagate-uniforms,assign-locations")
        self.assertEqual((self.dir / "out/a.frag.spv").read_bytes(), limited)

    def test_a_pipeline_without_a_fragment_shader(self):
        self.write("a.vert", VERT)
        self.assert_ok(self.run_cli("link", "a.vert", "-o", "out", "--report", "r.json", "--max-fragment-cost", "100"))
        pipeline, = json.loads((self.dir / "r.json").read_text())["pipelines"]
        self.assertEqual(pipeline["fragment_cost"], {"percent": None, "means": []})

    def test_it_is_cheap_and_proved(self):
        pipeline = self.pipeline("--passes", "propagate-uniforms,assign-locations", "--max-fragment-cost", "100", "--prove", "fallback")
        self.assertLessEqual(pipeline["fragment_cost"]["percent"], 100)
        self.assertEqual(pipeline["proof"]["verdict"], "proved")

    def test_what_fits_only_at_a_price_that_is_too_high_is_an_error(self):
        options = ["--passes", "propagate-uniforms,assign-locations", "--limits", "limits.json"]
        self.write("limits.json", json.dumps({"maxFragmentInputComponents": 4}))
        self.assertEqual(self.pipeline(*options)["limits"], {"fits": True, "means": []})
        self.assertGreater(self.slots(self.pipeline(*options))[1], self.slots(self.pipeline(*options))[0])
        run = self.run_cli("link", "a.vert", "a.frag", "-o", "none", "--report", "r.json", "--max-fragment-cost", "100", *options)
        self.assertEqual(run.status, 4, run)
        pipeline, = json.loads((self.dir / "r.json").read_text())["pipelines"]
        self.assertFalse(pipeline["limits"]["fits"])
        self.assertNotEqual(pipeline["fragment_cost"]["means"], [])
        self.assertFalse((self.dir / "none/a.frag.spv").exists())

    def test_pipelines_that_share_a_stage(self):
        self.write("a.vert", VERT)
        self.write("a.frag", FRAG)
        self.write("b.frag", FRAG.replace("a * b", "b"))
        self.write("m.jsonl", "".join(json.dumps({"name": name, "stages": {"vert": "a.vert", "frag": f"{name}.frag"}}) + "\n"
                                      for name in "ab"))
        self.assert_ok(self.run_cli("link", "--manifest", "m.jsonl", "-o", "out", "--max-fragment-cost", "100", "--share", "union",
                                    "--report", "r.json"))
        for pipeline in json.loads((self.dir / "r.json").read_text())["pipelines"]:
            self.assertNotEqual(pipeline["fragment_cost"]["means"], [])
            self.assertLessEqual(pipeline["fragment_cost"]["percent"], 100)

    def test_a_limit_below_what_there_is(self):
        self.assert_refused(1, "99", "link", "a.vert", "a.frag", "--max-fragment-cost", "99")


if __name__ == "__main__":
    unittest.main()
