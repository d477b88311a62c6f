#!/usr/bin/env python3
"""varylink import: what other programs wrote, as a manifest with modules to read and edit."""
import json
import pathlib
import sys
import unittest

from harness import FRAG, VERT, CliTest, with_second_entry_point

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "formats"))
import fossilize as foz  # noqa: E402
import vulkan_sc  # noqa: E402
from fossilize_test import words  # noqa: E402

VERTEX, FRAGMENT = "VK_SHADER_STAGE_VERTEX_BIT", "VK_SHADER_STAGE_FRAGMENT_BIT"
FRAG = FRAG.replace("void main", "layout(constant_id = 2) const float k = 1.0;\nlayout(constant_id = 5) const bool b = false;\n"
                    "void main").replace("color.xy", "(b ? color.xy : color.zz) * k")


class Import(CliTest):
    def setUp(self):
        super().setUp()
        self.write("in/a.vert.spv", self.spirv("a.vert", VERT, alone=True))
        self.write("in/b.frag.spv", self.spirv("b.frag", FRAG))

    def database(self):
        vert, frag = (words((self.dir / "in" / name).read_bytes()) for name in ("a.vert.spv", "b.frag.spv"))
        values = foz.specialization([(2, "f", 0.1), (5, "I", 1), (9, "I", 3)])
        stages = [(1, foz.module_hash(vert), None), (16, foz.module_hash(frag), values)]
        self.write("x.foz", foz.MAGIC + b"".join([
            foz.module_entry(vert), foz.module_entry(frag),
            foz.json_entry(foz.RENDER_PASS, 7, foz.render_pass((37,))),
            foz.json_entry(foz.GRAPHICS, 1, foz.pipeline(stages, render_pass=7, attributes=((0, 106),))),
            foz.json_entry(foz.GRAPHICS, 2, foz.pipeline(stages, dynamic=(1000267002,), topology=4)),
            foz.json_entry(foz.COMPUTE, 3, {})]))
        return stages

    def lines(self, folder):
        return [json.loads(line) for line in (self.dir / folder / "manifest.jsonl").read_text().splitlines()]

    def test_a_database(self):
        stages = self.database()
        run = self.assert_ok(self.run_cli("import", "x.foz", "-o", "m"))
        self.assertIn("0000000000000003: left out: it is a compute pipeline", run.out)
        self.assertIn("2 pipelines, 2 modules", run.out)
        one, two = self.lines("m")
        self.assertEqual(one["name"], foz.text(1))
        self.assertEqual(one["stages"], {
            "vert": foz.text(stages[0][1]) + ".vert.spvasm",
            "frag": {"file": foz.text(stages[1][1]) + ".frag.spvasm", "specialization": {"2": 0.1, "5": True}}})
        self.assertEqual(one["state"]["topology"], "triangles")
        self.assertEqual(one["state"]["vertexInput"], {"attributes": [{"location": 0, "format": "R32G32B32_SFLOAT"}]})
        self.assertEqual(one["state"]["attachments"], [{"format": "R8G8B8A8_UNORM", "writeMask": "RGBA"}])
        self.assertNotIn("topology", two["state"])
        self.assertNotIn("attachments", two["state"])
        self.assertEqual(two["state"]["dynamicStates"], ["PRIMITIVE_TOPOLOGY"])

    def report(self, *arguments):
        self.assert_ok(self.run_cli("link", *arguments, "-o", "o", "--report", "r.json"))
        report = json.loads((self.dir / "r.json").read_text())
        return [(each["name"], each["assumes"], each["interfaces"]) for each in report["pipelines"] if each["interfaces"]]

    def test_the_manifest_links_to_the_same(self):
        self.database()
        self.assert_ok(self.run_cli("import", "x.foz", "-o", "m"))
        self.assertEqual(self.report("x.foz"), self.report("--manifest", "m/manifest.jsonl"))

    def test_pipeline_json_and_an_edit(self):
        shaders = ((VERTEX, "a.vert.spv"), (FRAGMENT, "b.frag.spv"))
        self.write("in/lit.json", json.dumps(vulkan_sc.graphics(shaders)))
        self.assert_ok(self.run_cli("import", "in", "-o", "m"))
        self.assertEqual(self.lines("m")[0]["stages"], {"vert": "a.vert.spvasm", "frag": "b.frag.spvasm"})
        before = self.report("in")
        self.assertEqual(before, self.report("--manifest", "m/manifest.jsonl"))
        # Other constants in the assembly, another result.
        text = (self.dir / "m/b.frag.spvasm").read_text()
        self.assertIn("OpSpecConstantFalse", text)
        self.write("m/b.frag.spvasm", text.replace("OpSpecConstantFalse", "OpConstantFalse").replace("OpDecorate %b SpecId 5\n", ""))
        after = self.report("--manifest", "m/manifest.jsonl")
        self.assertNotEqual(before[0][2], after[0][2])

    def test_an_unreadable_module_costs_only_its_own_pipelines(self):
        self.write("in/bad.vert.spv", b"no SPIR-V")
        for name, vert in (("a", "bad.vert.spv"), ("b", "bad.vert.spv"), ("c", "a.vert.spv")):
            self.write(f"in/{name}.json", json.dumps(vulkan_sc.graphics(((VERTEX, vert), (FRAGMENT, "b.frag.spv")))))
        run = self.run_cli("import", "in", "-o", "m")
        self.assertNotEqual(run.status, 0, run)
        self.assertEqual(run.err.count("bad.vert.spv: error"), 2, run)
        self.assertEqual([line["name"] for line in self.lines("m")], ["c"])
        self.assert_ok(self.run_cli("link", "--manifest", "m/manifest.jsonl", "-o", "o"))

    def test_main_is_named_beside_another_entry_point(self):
        self.write("in/b.frag.spv", with_second_entry_point((self.dir / "in/b.frag.spv").read_bytes()))
        self.write("in/lit.json", json.dumps(vulkan_sc.graphics(((VERTEX, "a.vert.spv"), (FRAGMENT, "b.frag.spv")))))
        self.assert_ok(self.run_cli("import", "in", "-o", "m"))
        self.assertEqual(self.lines("m")[0]["stages"],
                         {"vert": "a.vert.spvasm", "frag": {"file": "b.frag.spvasm", "entry": "main"}})
        self.assertEqual(self.report("in"), self.report("--manifest", "m/manifest.jsonl"))

    def test_a_binding_with_an_entry_for_each_stage(self):
        vert, frag = (words((self.dir / "in" / name).read_bytes()) for name in ("a.vert.spv", "b.frag.spv"))
        entries = [{"descriptorType": 6, "descriptorCount": 1, "stageFlags": stage, "binding": 0} for stage in (1, 16)]
        stages = [(1, foz.module_hash(vert), None), (16, foz.module_hash(frag), None)]
        self.write("x.foz", foz.MAGIC + b"".join([
            foz.module_entry(vert), foz.module_entry(frag),
            foz.json_entry(foz.SET_LAYOUT, 5, {"flags": 0, "bindings": entries}),
            foz.json_entry(foz.PIPELINE_LAYOUT, 6, {"flags": 0, "pushConstantRanges": [], "setLayouts": [foz.text(5)]}),
            foz.json_entry(foz.GRAPHICS, 1, foz.pipeline(stages, layout=6))]))
        self.assert_ok(self.run_cli("import", "x.foz", "-o", "m"))
        self.assertEqual(self.lines("m")[0]["layout"]["bindings"], [{"set": 0, "binding": 0, "stages": ["vert", "frag"]}])
        self.assert_ok(self.run_cli("link", "--manifest", "m/manifest.jsonl", "-o", "o"))

    def test_what_it_refuses(self):
        self.assert_refused(1, "neither pipeline JSON", "import", "in/a.vert.spv", "-o", "m")
        self.assert_refused(1, "-o", "import", "in/a.vert.spv")
        self.assert_refused(1, "none.foz", "import", "none.foz", "-o", "m")


if __name__ == "__main__":
    unittest.main()
