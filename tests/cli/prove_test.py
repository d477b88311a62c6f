"""varylink prove: linked pipelines are proved, wrong ones are not."""

import json
import pathlib
import random
import shutil
import sys
import unittest

from harness import MOVING_FRAG, MOVING_VERT, CliTest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "prove"))
import mutants  # noqa: E402

SAMPLES = pathlib.Path(__file__).resolve().parents[2] / "samples"


VOLATILE_FRAG = MOVING_FRAG.replace("void main() {", "layout(set = 0, binding = 5) volatile buffer B { float f; } b;\n"
                                    "void main() {").replace("u.strength, 1.0", "u.strength, b.f")


class Prove(CliTest):
    def setUp(self):
        super().setUp()
        self.write("a.vert", MOVING_VERT)
        self.write("b.frag", MOVING_FRAG)
        self.assert_ok(self.run_cli("link", "a.vert", "b.frag", "-o", "out"))

    def test_linked_pair_is_proved(self):
        run = self.assert_ok(self.run_cli("prove", "a.vert", "b.frag", "--against", "out/a.vert.spv", "out/b.frag.spv"))
        self.assertEqual(run.out, "proved\n")

    def test_folder_that_link_wrote(self):
        self.assertEqual(self.assert_ok(self.run_cli("prove", "a.vert", "b.frag", "--against", "out")).out, "proved\n")
        self.write("frag.txt", MOVING_FRAG)
        self.assert_ok(self.run_cli("link", "a.vert", "frag=frag.txt", "-o", "named"))
        self.assert_ok(self.run_cli("prove", "a.vert", "frag=frag.txt", "--against", "named"))
        (self.dir / "empty").mkdir()
        self.assert_refused(1, "empty/a.vert.spv: error: cannot read", "prove", "a.vert", "b.frag", "--against", "empty")

    def test_the_semantics_of_the_lower_level_do_not_reach(self):
        run = self.run_cli("prove", "-O1", "a.vert", "b.frag", "--against", "out/a.vert.spv", "out/b.frag.spv")
        self.assertEqual(run.status, 7, run)
        self.assertIn("not proved: frag output 0.x could not be shown equal", run.out)
        self.assertIn("original: ", run.out)

    def test_json(self):
        run = self.run_cli("prove", "-O1", "--json", "a.vert", "b.frag", "--against", "out/a.vert.spv", "out/b.frag.spv")
        record = json.loads(run.out)[0]
        self.assertEqual(record["verdict"], "not proved")
        self.assertEqual(record["findings"][0]["what"], "output 0.x")

    def test_a_layout_gives_resources_to_stages(self):
        self.write("u.vert", "#version 450\nlayout(location = 0) in vec4 p; layout(location = 0) out vec4 c;\n"
                   "layout(set = 0, binding = 0) uniform U { vec4 u; }; void main() { gl_Position = p; c = u; }")
        self.write("u.frag", "#version 450\nlayout(location = 0) in vec4 c; layout(location = 0) out vec4 color;\n"
                   "void main() { color = c; }")
        self.write("layout.json", '{"bindings": [{"set": 0, "binding": 0, "stages": ["vert", "frag"]}]}')
        run = self.assert_ok(self.run_cli("link", "u.vert", "u.frag", "--layout", "layout.json", "-o", "given"))
        self.assertIn("components 4 → 0", run.out)
        prove = ("prove", "u.vert", "u.frag", "--against", "given/u.vert.spv", "given/u.frag.spv")
        self.assert_ok(self.run_cli(*prove, "--layout", "layout.json"))
        run = self.run_cli(*prove)
        self.assertEqual(run.status, 7)
        self.assertIn("frag uses set 0, binding 0, uniform buffer, which it did not declare", run.out)

    def test_link_reports_and_requires(self):
        run = self.assert_ok(self.run_cli("link", "a.vert", "b.frag", "--prove", "report", "--report", "r.json"))
        self.assertIn("proof: proved at -O2\n", run.out)
        self.assertEqual(json.loads((self.dir / "r.json").read_text())["pipelines"][0]["proof"]["verdict"], "proved")
        self.assert_ok(self.run_cli("link", "a.vert", "b.frag", "--prove", "require", "-o", "required"))

    def test_what_has_no_reading_is_refused_or_passed_through(self):
        """A volatile read has no reading, so that nothing is proved about a pipeline that has one and is changed."""
        self.write("c.frag", VOLATILE_FRAG)
        self.assert_refused(5, "not proved: a volatile read", "link", "a.vert", "c.frag", "--prove", "require", "-o", "new")
        run = self.assert_ok(self.run_cli("link", "a.vert", "c.frag", "--prove", "fallback", "--report", "r.json", "-o", "new"))
        proof = json.loads((self.dir / "r.json").read_text())["pipelines"][0]["proof"]
        self.assertEqual((proof["level"], proof["verdict"]), (0, "proved"), run)
        self.assertIn("components 5 → 5", run.out)

    def test_tessellation_and_geometry(self):
        """What is computed for each vertex in these stages may end up in the next one."""
        self.write("t.vert", "#version 450\nlayout(location = 0) in vec4 p; layout(location = 0) out vec4 c;\n"
                   "void main() { gl_Position = p; c = p * 2.0; }")
        self.write("t.geom", "#version 450\nlayout(triangles) in; layout(triangle_strip, max_vertices = 3) out;\n"
                   "layout(location = 0) in vec4 c[]; layout(location = 0) out vec4 d; layout(location = 1) out float e;\n"
                   "void main() { for (int i = 0; i < 3; ++i) { gl_Position = gl_in[i].gl_Position; d = c[i]; e = 0.5;\n"
                   "EmitVertex(); } EndPrimitive(); }")
        self.write("t.frag", "#version 450\nlayout(location = 0) in vec4 d; layout(location = 1) in float e;\n"
                   "layout(location = 0) out vec4 color; void main() { color = vec4(d.yx, e, 1.0); }")
        self.assert_ok(self.run_cli("link", "t.vert", "t.geom", "t.frag", "-o", "three"))
        linked = [f"three/t.{stage}.spv" for stage in ("vert", "geom", "frag")]
        run = self.assert_ok(self.run_cli("prove", "t.vert", "t.geom", "t.frag", "--against", *linked))
        self.assertEqual(run.out, "proved\n")
        self.write("u.frag", (self.dir / "t.frag").read_text().replace("d.yx", "d.xy"))
        run = self.run_cli("prove", "t.vert", "t.geom", "u.frag", "--against", *linked)
        self.assertEqual(run.status, 7, run)

    def test_fallback_of_pipelines_that_share_a_stage(self):
        self.write("c.frag", VOLATILE_FRAG)
        self.write("m.jsonl", '{"name": "x", "stages": {"vert": "a.vert", "frag": "b.frag"}}\n'
                   '{"name": "y", "stages": {"vert": "a.vert", "frag": "c.frag"}}\n')
        self.assert_ok(self.run_cli("link", "--manifest", "m.jsonl", "--share", "union", "--prove", "fallback", "-o", "shared",
                                    "--report", "r.json"))
        pipelines = json.loads((self.dir / "r.json").read_text())["pipelines"]
        self.assertEqual([each["proof"]["verdict"] for each in pipelines], ["proved", "proved"])
        # Both are linked at the level at which both are proved.
        self.assertEqual(len({each["proof"]["level"] for each in pipelines}), 1)

    def test_samples(self):
        manifest = str(SAMPLES / "pipelines.jsonl")
        self.assert_ok(self.run_cli("link", "--manifest", manifest, "-o", "all", "-q"))
        run = self.run_cli("prove", "--manifest", manifest, "--against", "all")
        self.assertRegex(run.out, r"\n\d+ proved, \d+ not proved, 0 refuted\n$")
        self.assertIn("quick: proved\n", run.out)

    @unittest.skipUnless(shutil.which("spirv-dis"), "needs spirv-tools")
    def test_no_wrong_module_is_proved(self):
        """Every change of these kinds shows in the picture, so that none may be proved."""
        showing = ("component", "opcode", "operands", "shuffle", "store")
        tried = 0
        for which in ("a.vert", "b.frag"):
            for what, wrong in mutants.valid_mutants(self.dir / "out" / (which + ".spv"), self.dir, random.Random(1), 100):
                if not what.startswith(showing):
                    continue
                linked = [wrong.name if which == stage else f"out/{stage}.spv" for stage in ("a.vert", "b.frag")]
                files = [f"{stage}={file}" for stage, file in zip(("vert", "frag"), linked)]
                run = self.run_cli("prove", "a.vert", "b.frag", "--against", *files)
                self.assertIn(run.status, (6, 7), f"{which}: {what}: {run}")
                tried += 1
        self.assertGreater(tried, 5)


if __name__ == "__main__":
    unittest.main()
