"""What stages cost: --profile, the report's costs, and the lines of -v."""

import json
import unittest

from harness import CliTest


class Cost(CliTest):
    def costs(self, *arguments):
        run = self.run_cli("link", "a.vert", "b.frag", "--report", "r.json", *arguments)
        self.assertEqual(run.status, 0, run)
        report = json.loads((self.dir / "r.json").read_text())
        pipeline, = report["pipelines"]
        return {stage["stage"]: stage["cost"] for stage in pipeline["stages"]}, report["options"]["--profile"]

    def setUp(self):
        super().setUp()
        self.write_pair()

    def test_before_and_after(self):
        costs, profile = self.costs("-O1")
        self.assertEqual(profile, "generic")
        # Before: 4 loads, 4 multiplications, 4 + 4 + 4 stored components. After: 6 of the varyings' stores and 2 of the
        # multiplications are gone.
        self.assertEqual(costs["vert"]["before"]["instructions"], 4 + 4 + 12)
        self.assertEqual(costs["vert"]["after"]["instructions"], 4 + 2 + 6)
        # Two loads and four stores, before and after.
        self.assertEqual(costs["frag"]["before"]["instructions"], 6)
        self.assertEqual(costs["frag"]["after"], costs["frag"]["before"])

    def test_profile_by_name_and_by_file(self):
        self.write("slow.json", '{"name": "slow", "based_on": "scalar-inorder", "operations": {"basic": {"delay": 30}}}')
        inorder, name = self.costs("--profile", "scalar-inorder")
        self.assertEqual(name, "scalar-inorder")
        # A multiplication of a preloaded attribute and, after a delay, the store.
        self.assertEqual(inorder["vert"]["after"]["critical_path"], 1 + 3 + 1)
        slow, name = self.costs("--profile", "slow.json")
        self.assertEqual(name, "slow")
        self.assertEqual(slow["vert"]["after"]["critical_path"], 1 + 30 + 1)

    def test_lines_only_when_asked_for(self):
        quiet = self.assert_ok(self.run_cli("link", "a.vert", "b.frag"))
        self.assertNotIn("instructions", quiet.out)
        verbose = self.assert_ok(self.run_cli("link", "a.vert", "b.frag", "-v"))
        self.assertIn("  vert  instructions 20 → 12, critical path ", verbose.out)

    def test_larger_results_say_why(self):
        self.write("grown.vert", "#version 450\nlayout(location = 0) in vec4 p;\nlayout(location = 0) flat out vec4 a;\n"
                   "void main() { gl_Position = p; a = p; }\n")
        self.write("grown.frag", "#version 450\nlayout(location = 0) flat in vec4 a;\nlayout(location = 0) out vec4 o;\n"
                   "void main() { o = vec4(sin(a.x) * cos(a.y) + exp(a.z) * sqrt(a.w) + log(a.x + a.y) * tan(a.z)); }\n")
        run = self.assert_ok(self.run_cli("link", "grown.vert", "grown.frag", "-v", "--report", "r.json"))
        vertex, fragment = json.loads((self.dir / "r.json").read_text())["pipelines"][0]["stages"]
        self.assertEqual(vertex["larger_because"], "it computes what another stage computed")
        self.assertNotIn("larger_because", fragment)
        self.assertIn(", more bytes: it computes what another stage computed\n", run.out)

    def test_bad_profiles(self):
        self.write("p.json", '{"registers": 3}')
        self.assert_refused(1, ["there is no profile 'fast'", "generic, tiler, immediate, scalar-inorder"], "link", "a.vert",
                            "b.frag", "--profile", "fast")
        self.assert_refused(1, "p.json: error: registers is not known", "link", "a.vert", "b.frag", "--profile", "p.json")
        self.assert_refused(1, "none.json", "link", "a.vert", "b.frag", "--profile", "none.json")

    def test_failed_pipeline_has_no_cost(self):
        self.write("b.frag", (self.dir / "b.frag").read_text().replace("location = 0) in", "location = 7) in"))
        self.assertEqual(self.run_cli("link", "a.vert", "b.frag", "--report", "r.json").status, 4)
        pipeline, = json.loads((self.dir / "r.json").read_text())["pipelines"]
        self.assertTrue(pipeline["stages"])
        self.assertFalse(any("cost" in stage for stage in pipeline["stages"]))


if __name__ == "__main__":
    unittest.main()
