#!/usr/bin/env python3
"""Pipeline JSON of Vulkan SC in and out: docs/formats.md. What comes out is read by tests/formats/vulkan_sc.py."""
import json
import pathlib
import struct
import sys
import unittest

from harness import CliTest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "formats"))
import vulkan_sc  # noqa: E402
from shaders import FRAG, SIZED_VERT, VERT  # noqa: E402

VERTEX, FRAGMENT, COMPUTE = (f"VK_SHADER_STAGE_{name}_BIT" for name in ("VERTEX", "FRAGMENT", "COMPUTE"))
SHADERS = ((VERTEX, "mesh.vert.spv"), (FRAGMENT, "lit.frag.spv"))


class VulkanSc(CliTest):
    def setUp(self):
        super().setUp()
        self.write("in/mesh.vert.spv", self.spirv("a.vert", VERT, alone=True))
        self.write("in/lit.frag.spv", self.spirv("b.frag", FRAG))

    def pipeline(self, name, **facts):
        pipeline = vulkan_sc.graphics(SHADERS, attributes=("R32G32B32A32_SFLOAT", "R32G32B32A32_SFLOAT"),
                                      colors=("R8G8B8A8_UNORM", "R8G8B8A8_UNORM"), masks=("RGBA", "RGBA"), **facts)
        self.write(f"in/{name}.json", json.dumps(pipeline, indent=2))
        return pipeline

    def link(self, *arguments, what="in"):
        return self.assert_ok(self.run_cli("link", what, "-o", "out", "--report", "r.json", *arguments))

    def reported(self):
        return {each["name"]: each for each in json.loads((self.dir / "r.json").read_text())["pipelines"]}

    def components(self, name):
        return sum(each["after"]["components"] for each in self.reported()[name]["interfaces"])

    def test_a_folder_is_a_manifest_and_comes_out_whole(self):
        originals = {name: self.pipeline(name) for name in ("one", "two")}
        self.write("in/add.comp.spv", struct.pack("<12I", 0x07230203, 0x10000, 0, 9, 0, (5 << 16) | 15, 5, 4, *struct.unpack(
            "<2I", b"main\0\0\0\0"), (1 << 16) | 253, (1 << 16) | 56))
        originals["add"] = vulkan_sc.compute("add.comp.spv")
        self.write("in/add.json", json.dumps(originals["add"]))
        run = self.link()
        self.assertIn("add: passed through: it is a compute pipeline", run.out)
        folder = vulkan_sc.check_folder(self.dir / "out")
        self.assertEqual(sorted(folder), ["add", "one", "two"])
        for name, (pipeline, _) in folder.items():
            for part in ("GraphicsPipelineState", "ComputePipelineState"):
                if part not in pipeline:
                    continue
                names = [each["filename"] for each in pipeline[part]["ShaderFileNames"]]
                self.assertTrue(all(each.startswith(name + "/") for each in names), names)
                for each, before in zip(pipeline[part]["ShaderFileNames"], originals[name][part]["ShaderFileNames"]):
                    each["filename"] = before["filename"]
            self.assertEqual(pipeline, originals[name])
        self.assertEqual((self.dir / "out/add/comp.spv").read_bytes(), (self.dir / "in/add.comp.spv").read_bytes())
        self.assertEqual(self.reported()["add"]["remarks"][0]["message"], "passed through: it is a compute pipeline")

    def test_only_names_of_modules_change_in_the_text(self):
        self.pipeline("one")
        self.link(what="in/one.json")
        before, after = ((self.dir / folder / "one.json").read_text() for folder in ("in", "out"))
        for name, result in (("mesh.vert.spv", "one/vert.spv"), ("lit.frag.spv", "one/frag.spv")):
            after = after.replace(json.dumps(result), json.dumps(name))
        self.assertEqual(before, after)

    def test_what_comes_out_links_again_to_the_same(self):
        self.pipeline("one")
        self.link()
        self.assert_ok(self.run_cli("link", "out", "-o", "again"))
        self.assertEqual((self.dir / "out/one/vert.spv").read_bytes(), (self.dir / "again/one/vert.spv").read_bytes())
        self.assertEqual((self.dir / "out/one.json").read_bytes(), (self.dir / "again/one.json").read_bytes())

    def test_state_is_what_the_json_says(self):
        specialized = {FRAGMENT: vulkan_sc.specialization([(3, "i", 4), (7, "f", 0.5), (9, "I", 1)])}
        self.pipeline("known", specialized=specialized)
        self.pipeline("plain")
        self.pipeline("four", samples=4)
        self.pipeline("dynamic", dynamic=("RASTERIZATION_SAMPLES_EXT", "VIEWPORT"))
        self.pipeline("coarse", dynamic=("FRAGMENT_SHADING_RATE_KHR",))
        self.link()
        locations = {name: sum(each["after"]["locations"] for each in record["interfaces"])
                     for name, record in self.reported().items()}
        # 4 of tint, 1 of other and 4 of third; with the constants known, other is dead. Without one sample the centroid
        # input has a location of its own.
        self.assertEqual(self.components("known"), 8)
        self.assertEqual(self.components("plain"), 9)
        self.assertEqual(self.reported()["known"]["assumes"]["specialization"], {"frag": {"3": "4", "7": "0.5"}})
        self.assertEqual(locations["four"], 3)
        self.assertEqual(locations["dynamic"], locations["four"])
        self.assertEqual(locations["coarse"], locations["four"])
        self.assertIn("rasterizationSamples", json.dumps(self.reported()["plain"]["assumes"]))
        self.assertNotIn("rasterizationSamples", json.dumps(self.reported()["dynamic"]["assumes"]))

    def test_attachments_and_formats(self):
        pipeline = vulkan_sc.graphics(SHADERS, attributes=("R32G32B32A32_SFLOAT", "R32G32_SFLOAT"),
                                      colors=("R8G8B8A8_UNORM", None), masks=("RGBA", "RGBA"))
        self.write("in/one.json", json.dumps(pipeline))
        masked = vulkan_sc.graphics(SHADERS, attributes=("R32G32B32A32_SFLOAT", "R32G32B32A32_SFLOAT"),
                                    colors=("R8G8B8A8_UNORM", "R8G8B8A8_UNORM"), masks=("RGBA", ""))
        self.write("in/two.json", json.dumps(masked))
        self.link()
        # tint without blue and alpha, which are 0 and 1, and one component of other; third feeds what is not stored.
        self.assertEqual(self.components("one"), 3)
        self.assertEqual(self.components("two"), 5)

    def test_polygon_modes(self):
        self.write("in/mesh.vert.spv", self.spirv("a.vert", SIZED_VERT, alone=True))
        for mode in ("FILL", "LINE", "POINT"):
            self.pipeline(mode.lower(), polygon_mode=mode)
        self.pipeline("dynamic", dynamic=("POLYGON_MODE_EXT",))
        self.link()
        assumed = {name: each["assumes"]["state"].get("polygonMode") for name, each in self.reported().items()}
        self.assertEqual(assumed, {"fill": "FILL", "line": "LINE", "point": None, "dynamic": None})

    def test_what_is_discarded_keeps_its_module(self):
        self.pipeline("one", discard=True)
        self.link()
        _, modules = vulkan_sc.check_pipeline(self.dir / "out/one.json")
        original = (self.dir / "in/lit.frag.spv").read_bytes()
        self.assertEqual(struct.pack(f"<{len(modules[FRAGMENT])}I", *modules[FRAGMENT]), original)

    def test_shared_modules(self):
        for name in ("one", "two"):
            self.pipeline(name)
        self.link("--share", "union")
        names = {name: [each["filename"] for each in pipeline["GraphicsPipelineState"]["ShaderFileNames"]]
                 for name, (pipeline, _) in vulkan_sc.check_folder(self.dir / "out").items()}
        self.assertEqual(names["one"], names["two"])
        self.assertNotIn("/", names["one"][0])

    def test_other_commands_read_it(self):
        self.pipeline("one")
        self.assert_ok(self.run_cli("check", "--manifest", "in"))
        self.link("-O2")
        self.assert_ok(self.run_cli("prove", "--manifest", "in", "--against", "out"))
        self.assert_ok(self.run_cli("prove", "in/one.json", "--against", "out/one.json"))

    def test_shared_modules_are_proved(self):
        for name in ("one", "two"):
            self.pipeline(name)
        self.link("--share", "union")
        run = self.assert_ok(self.run_cli("prove", "in", "--against", "out"))
        self.assertIn("2 proved", run.out)

    def test_inputs_are_never_overwritten(self):
        self.pipeline("one")
        self.assert_refused(1, "one.json", "link", "in", "-o", "in")

    def test_reports_are_none_of_the_files_that_come_out(self):
        self.pipeline("one")
        self.write("in/add.comp.spv", b"whatever")
        self.write("in/add.json", json.dumps(vulkan_sc.compute("add.comp.spv")))
        for path in ("out/one.json", "out/./one/frag.spv", "out/add.json", "out/add/comp.spv"):
            self.assert_refused(1, [path, "names a file that another option names, too"], "link", "in", "-o", "out",
                                "--report-lines", path)

    def test_wrong_json(self):
        good = self.pipeline("one")
        for edit, said in (
                (lambda state: state["ShaderFileNames"].pop(), "ShaderFileNames has no file for this stage"),
                (lambda state: state["PipelineLayout"].update(pSetLayouts=[9]), "DescriptorSetLayouts has no 9"),
                (lambda state: state["GraphicsPipeline"].update(subpass=1), "there is no subpass 1"),
                (lambda state: state["GraphicsPipeline"]["pMultisampleState"].update(rasterizationSamples=3), "sample count"),
                (lambda state: state["GraphicsPipeline"]["pStages"][0].update(stage="VERTEX"), "VK_SHADER_STAGE_"),
                (lambda state: state["GraphicsPipeline"].pop("pStages"), "the pipeline has no stages"),
                (lambda state: state["GraphicsPipeline"].update(pVertexInputState=3, pStages={}), "is not a list")):
            bad = json.loads(json.dumps(good))
            edit(bad["GraphicsPipelineState"])
            self.write("in/one.json", json.dumps(bad, indent=1))
            run = self.assert_refused(1, said, "link", "in", "-o", "out")
            self.assertRegex(run.err, r"in/one\.json:\d+: ")
        text = json.dumps(good)
        for end in range(0, len(text), 997):
            self.write("in/one.json", text[:end])
            self.assert_refused(1, "in/one.json", "link", "in", "-o", "out")

    def assert_bad_name(self, name, said):
        with self.subTest(name=name):
            self.pipeline(name)
            for arguments in (["link", "in"], ["link", f"in/{name}.json"], ["import", "in"]):
                self.assert_refused(1, ["the name", said], *arguments, "-o", "parent/out")
            (self.dir / f"in/{name}.json").unlink()

    def test_names_that_lead_out_of_the_output_folder(self):
        for name in ("..", "."):
            self.assert_bad_name(name, "does not stay in the output folder")

    def test_names_with_characters_that_no_result_has(self):
        self.assert_bad_name("a\\b", "backslash")
        self.assert_bad_name("a\nb", "control character")

    def test_results_lead_through_no_other_result(self):
        self.pipeline("x")
        self.pipeline("x.json")  # its modules would stand in a folder x.json, and the other's JSON is a file of that name
        for command in ("link", "import"):
            self.assert_refused(1, "the name 'x.json' leads through a result of the pipeline of x.json", command, "in",
                                "-o", "out")

    def test_a_folder_without_pipelines(self):
        self.assert_refused(1, "no pipeline JSON", "link", "in", "-o", "out")
        self.write("in/other.json", '{"a": 1}')
        self.assert_refused(1, "is no pipeline of Vulkan SC", "link", "in", "-o", "out")


if __name__ == "__main__":
    unittest.main()
