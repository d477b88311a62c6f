#!/usr/bin/env python3
"""What lines of a manifest and --pipeline-state say about pipelines: docs/pipeline-state.md."""
import json
import pathlib
import re
import subprocess
import unittest

from harness import CliTest, with_second_entry_point

VERT = """#version 450
layout(location = 0) in vec4 position;
layout(location = 1) in vec4 color;
layout(location = 0) out vec4 tint;
layout(location = 1) out vec4 other;
void main() { gl_Position = position; tint = color; other = color * 2.0 + position; }
"""
FRAG = """#version 450
layout(constant_id = 0) const int kind = 0;
layout(location = 0) in vec4 tint;
layout(location = 1) in vec4 other;
layout(location = 0) out vec4 o;
#ifdef BOTH
void main() { o = tint + other; }
#else
void main() { o = kind == 0 ? tint : vec4(other.x); }
#endif
"""


class PipelineState(CliTest):
    def setUp(self):
        super().setUp()
        self.write("a.vert", VERT)
        self.write("b.frag", FRAG)

    def manifest(self, *lines):
        self.write("m.jsonl", "".join(json.dumps(line) + "\n" for line in lines))

    def report(self, *arguments):
        run = self.run_cli("link", *arguments, "--report", "r.json")
        self.assertEqual(run.status, 0, run)
        return json.loads((self.dir / "r.json").read_text())["pipelines"]

    def components(self, pipelines):
        return [pipeline["interfaces"][0]["after"]["components"] for pipeline in pipelines]

    def frag(self, **more):
        return {"vert": "a.vert", "frag": {"file": "b.frag", **more}}

    def test_each_stage_has_its_own_constants_and_macros(self):
        self.manifest({"name": "open", "stages": {"vert": "a.vert", "frag": "b.frag"}},
                      {"name": "tint", "stages": self.frag(specialization={"0": 0})},
                      {"name": "other", "stages": self.frag(specialization={"0": 1})},
                      {"name": "both", "stages": self.frag(defines={"BOTH": 1})})
        pipelines = self.report("--manifest", "m.jsonl", "-O1")
        self.assertEqual(self.components(pipelines), [5, 4, 1, 8])
        self.assertEqual([pipeline.get("assumes", {}).get("specialization") for pipeline in pipelines],
                         [None, {"frag": {"0": "0"}}, {"frag": {"0": "1"}}, None])
        hashes = {pipeline["assumes"]["hash"] for pipeline in pipelines[1:3]}
        self.assertEqual(len(hashes), 2)

    def test_a_file_and_an_option_say_the_same(self):
        self.write("s.json", '{"stages": {"frag": {"specialization": {"0": 1}}}}')
        self.assertEqual(self.components(self.report("a.vert", "b.frag", "-O1", "--pipeline-state", "s.json")), [1])
        self.assertEqual(self.components(self.report("a.vert", "b.frag", "-O1", "--spec", "0=1")), [1])
        # What a line says of its pipeline goes before what is said of all.
        self.manifest({"name": "p", "stages": self.frag(specialization={"0": 0})})
        pipelines = self.report("--manifest", "m.jsonl", "-O1", "--pipeline-state", "s.json")
        self.assertEqual(self.components(pipelines), [4])

    def test_frozen_constants_may_stay_declared(self):
        frozen = ["link", "a.vert", "b.frag", "-O1", "--spec", "0=1", "-o", "out"]
        for options, declared in (([], 0), (["--keep-spec-ids"], 1), (["--keep-spec-ids", "-O0"], 1)):
            with self.subTest(options=options):
                self.assertEqual(self.run_cli(*frozen, *options).status, 0)
                text = subprocess.run(["spirv-dis", self.dir / "out/b.frag.spv"], capture_output=True, text=True, check=True).stdout
                self.assertEqual(len(re.findall(r"SpecId 0\b", text)), declared)
                self.assertEqual(len(re.findall(r"OpSpecConstant ", text)), declared)
                subprocess.run(["spirv-val", "--target-env", "vulkan1.3", self.dir / "out/b.frag.spv"], check=True)

    def test_values_are_checked(self):
        self.manifest({"name": "p", "stages": self.frag(specialization={"0": 0.5})})
        run = self.run_cli("link", "--manifest", "m.jsonl")
        self.assertEqual(run.status, 1, run)
        self.assertIn("b.frag: error: '0.5' is no value of specialization constant 0", run.err)
        self.manifest({"name": "p", "stages": self.frag(specialization={"5": 1})})
        run = self.run_cli("link", "--manifest", "m.jsonl")
        self.assertEqual(run.status, 0, run)
        self.assertIn("there is no specialization constant with the id 5", run.err)

    def test_facts_of_the_state_are_assumed_and_cached_apart(self):
        self.manifest({"name": "p", "stages": {"vert": "a.vert", "frag": "b.frag"},
                       "state": {"attachments": [], "alphaToCoverageEnable": False}},
                      {"name": "q", "stages": {"vert": "a.vert", "frag": "b.frag"}})
        for _ in range(2):
            pipelines = self.report("--manifest", "m.jsonl", "--cache", "cache")
            self.assertEqual(self.components(pipelines), [0, 5])
            self.assertEqual(pipelines[0]["assumes"]["state"], {"alphaToCoverageEnable": False, "attachments": []})
            self.assertNotIn("assumes", pipelines[1])
            self.assertIn('"attachments":[]', pipelines[0]["remarks"][0]["message"])

    def test_what_needs_state_is_proved_with_it_only(self):
        self.write("s.json", '{"attachments": [], "alphaToCoverageEnable": false}')
        run = self.run_cli("link", "a.vert", "b.frag", "--pipeline-state", "s.json", "--prove", "report", "-o", "out")
        self.assertIn("proof: proved at -O2", run.out)
        files = ("a.vert", "b.frag", "--against", "out")
        self.assert_ok(self.run_cli("prove", *files, "--pipeline-state", "s.json"))
        without = self.run_cli("prove", *files)
        self.assertEqual(without.status, 7, without)
        self.assertIn("not proved: frag output 0.w could not be shown equal", without.out)

    def test_specialized_results_are_proved_with_their_values_only(self):
        self.write("k.frag", "#version 450\nlayout(constant_id = 3) const float k = 1.0; layout(location = 0) out vec4 o;\n"
                   "layout(location = 0) in vec4 color; void main() { o = color * k; }\n")
        self.write("s.json", '{"stages": {"frag": {"specialization": {"3": 0.5}}}}')
        self.assert_ok(self.run_cli("link", "a.vert", "k.frag", "--pipeline-state", "s.json", "-o", "out"))
        files = ("a.vert", "k.frag", "--against", "out")
        self.assert_ok(self.run_cli("prove", *files, "--pipeline-state", "s.json"))
        without = self.run_cli("prove", *files)
        self.assertIn(without.status, (6, 7), without)
        self.assertIn("specialization constant 3", without.out)

    def test_a_pipeline_that_discards_has_no_fragment_stage(self):
        self.write("s.json", '{"rasterizerDiscardEnable": true}')
        run = self.run_cli("link", "a.vert", "b.frag", "--pipeline-state", "s.json", "-o", "out")
        self.assertEqual(run.status, 0, run)
        self.assertIn("b.frag: warning: the stage is left out", run.err)
        self.assertTrue((self.dir / "out/a.vert.spv").exists())
        self.assertFalse((self.dir / "out/b.frag.spv").exists())

    def test_a_fragment_stage_beside_no_fragment_counts(self):
        self.write("s.json", '{"noFragment": true}')
        self.manifest({"name": "a", "stages": {"vert": "a.vert", "frag": "b.frag"}, "noFragment": True})
        for arguments in (["a.vert", "b.frag", "--pipeline-state", "s.json"], ["a.vert", "b.frag", "--no-fragment"],
                          ["--manifest", "m.jsonl"]):
            with self.subTest(arguments=arguments):
                run = self.assert_ok(self.run_cli("link", *arguments, "-o", "out"))
                self.assertIn("b.frag: warning: noFragment does not count: the pipeline has this stage", run.err)
        self.assertNotIn("warning", self.run_cli("link", "a.vert", "--no-fragment").err)

    def test_layouts_of_pipelines(self):
        block = "layout(set = 0, binding = 0) uniform U { vec4 scale; };\n"
        self.write("u.vert", VERT.replace("layout(location = 0) in", block + "layout(location = 0) in", 1)
                   .replace("color * 2.0 + position", "scale"))
        layout = {"bindings": [{"set": 0, "binding": 0, "stages": ["vert", "frag"]}]}
        self.write("l/layout.json", json.dumps(layout))
        stages = {"vert": "u.vert", "frag": {"file": "b.frag", "defines": {"BOTH": ""}}}
        self.manifest({"name": "without", "stages": stages}, {"name": "with", "stages": stages, "layout": layout},
                      {"name": "file", "stages": stages, "layout": "l/layout.json"})
        pipelines = self.report("--manifest", "m.jsonl")
        self.assertEqual(self.components(pipelines)[1:], [4, 4])
        self.assertGreaterEqual(self.components(pipelines)[0], 4)
        self.assertEqual(pipelines[1]["assumes"]["layout"], "0.0 vert frag")

    def test_contradictions(self):
        def refused(state, *words, vert="a.vert"):
            self.write("s.json", json.dumps(state))
            run = self.run_cli("link", vert, "b.frag", "--pipeline-state", "s.json")
            self.assertEqual(run.status, 4, run)
            for word in words:
                self.assertIn(word, run.err)
        refused({"vertexInput": {"attributes": [{"location": 1, "format": "R8G8B8A8_UINT"}]}},
                "a.vert: error:", "R8G8B8A8_UINT", "VUID-VkGraphicsPipelineCreateInfo-Input-08733")
        refused({"topology": "PATCH_LIST"}, "a.vert: error: the topology PATCH_LIST is for pipelines that tessellate",
                "VUID-VkGraphicsPipelineCreateInfo-topology-00737")
        self.write("c.geom", "#version 450\nlayout(triangles) in;\nlayout(points, max_vertices = 1) out;\n"
                   "void main() { gl_Position = vec4(0); EmitVertex(); }\n")
        for topology, status in (("LINE_LIST", 4), ("PATCH_LIST", 4), ("TRIANGLE_LIST", 0), ("TRIANGLE_STRIP_WITH_ADJACENCY", 0)):
            self.write("s.json", json.dumps({"topology": topology}))
            run = self.run_cli("link", "a.vert", "c.geom", "--no-fragment", "--pipeline-state", "s.json")
            self.assertEqual((topology, run.status), (topology, status), run)
            rule = "pStages-00738" if topology == "LINE_LIST" else "topology-00737"
            self.assertEqual(rule in run.err, status == 4, run)
        for declared, name, read, rule in (("ivec4", "R64G64_SINT", "int", "08929"), ("dvec2", "R32_SFLOAT", "double", "08930")):
            inputs = f"layout(location = 2) in {declared} more;\nvoid main() {{\n  if (more.y > 0) gl_PointSize = 1.0;"
            self.write("wide.vert", VERT.replace("void main() {", inputs))
            refused({"vertexInput": {"attributes": [{"location": 2, "format": name}]}}, "wide.vert: error:",
                    f"has the format {name}, and the shader reads {read}",
                    f"VUID-VkGraphicsPipelineCreateInfo-pVertexInputState-{rule}", vert="wide.vert")
        self.write("s.json", json.dumps({"vertexInput": {"attributes": [{"location": 2, "format": "R64G64_SFLOAT"}]}}))
        self.assert_ok(self.run_cli("link", "wide.vert", "b.frag", "--pipeline-state", "s.json"))

    def test_errors_have_line_and_column(self):
        self.write("s.json", '{"state": {\n  "attachments": [null,\n    {"writeMask": "RX"}]}}\n')
        self.assert_refused(1, "s.json:3: error: column 6: \"writeMask\" is made of the letters",
                            "link", "a.vert", "b.frag", "--pipeline-state", "s.json")
        for state, words in [
                ({"topologie": "points"}, '"topologie"; did you mean \'topology\'?'),
                ({"rasterizationSamples": 3}, "is 1, 2, 4"),
                ({"rasterizationSamples": True}, "is not a number"),
                ({"dynamicStates": ["TOPOLOGY"]}, "there is no TOPOLOGY"),
                ({"vertexInput": {"attributes": [{"location": 0, "format": "R8G8"}]}}, "R8G8 is no color format"),
                ({"vertexInput": {"attributes": [{"location": 0, "format": "R3G5_UNORM"}]}}, "R3G5_UNORM is no color format"),
                ({"vertexInput": {"attributes": [{"location": 0, "format": ""}]}}, '"format" is empty'),
                ({"vertexInput": {"attributes": [{"location": 0, "format": 3}]}}, '"format" is not a text'),
                ({"vertexInput": {"attributes": [{"location": 0, "format": "R8_UNORM", "binding": 1}]}}, "no binding 1"),
                ({"stages": {"frag": {"spec": {}}}}, 'a stage has no key "spec"'),
                ({"stages": {"frag": {"specialization": {"x": 1}}}}, '"x" is no number'),
                ({"stages": {"frag": {"specialization": {"0": "1"}}}}, "is a number, true or false"),
                ({"stages": {"frag": "b.frag"}}, "stand on the command line"),
                ({"layout": {"bindings": [{"set": 0}]}}, 'needs "binding"')]:
            with self.subTest(state=state):
                self.write("s.json", json.dumps(state))
                self.assert_refused(1, ["s.json", words], "link", "a.vert", "b.frag", "--pipeline-state", "s.json")

    def test_entry_points_of_files_without_a_stage(self):
        self.write("f.spv", with_second_entry_point(self.spirv("b.frag", FRAG)))
        given = ("--pipeline-state", "s.json")
        for state in ({"stages": {"frag": {"entry": "twin"}}}, {"entries": {"frag": "twin"}}):
            self.write("s.json", json.dumps(state))
            for file in ("f.spv", "frag=f.spv"):
                with self.subTest(state=state, file=file):
                    stages = self.report("a.vert", file, *given, "-o", "out")[0]["stages"]
                    self.assertEqual([stage["entry_point"] for stage in stages], ["main", "twin"])
                    for against in (["out"], ["out/a.vert.spv", "out/f.spv" if file == "f.spv" else "frag=out/f.spv"]):
                        self.assert_ok(self.run_cli("prove", "a.vert", file, *given, "--against", *against))
                    self.assert_ok(self.run_cli("analyze", file, *given))
        self.write("s.json", json.dumps({"stages": {"frag": {"entry": "none"}}}))
        self.assert_refused(1, ["f.spv", "entry point 'none' not found"], "link", "a.vert", "f.spv", *given)

    def test_dynamic_state_is_not_known(self):
        self.write("s.json", '{"attachments": [{"writeMask": ""}], "alphaToCoverageEnable": false, '
                             '"dynamicStates": ["COLOR_WRITE_MASK_EXT"]}')
        self.assertEqual(self.components(self.report("a.vert", "b.frag", "--pipeline-state", "s.json")), [5])


class Schema(CliTest):
    """The keys that the command lists when it refuses one are those of docs/pipeline-state.schema.json."""
    SCHEMA = json.loads((pathlib.Path(__file__).parents[2] / "docs/pipeline-state.schema.json").read_text())

    def known_keys(self, description):
        self.write("s.json", json.dumps(description))
        run = self.run_cli("link", "a.vert", "b.frag", "--pipeline-state", "s.json")
        self.assertEqual(run.status, 1, run)
        found = re.search(r'has no key "qqq"; there are (.*)', run.err)
        self.assertTrue(found, run.err)
        return set(re.split(r", | and ", found.group(1).strip()))

    def test_keys(self):
        self.write("a.vert", VERT)
        self.write("b.frag", FRAG)
        bad = {"qqq": 1}
        places = {
            "stage_object": {"stages": {"frag": bad}},
            "layout": {"layout": bad},
            "layout_binding": {"layout": {"bindings": [bad]}},
            "push_constant_range": {"layout": {"pushConstants": [bad]}},
            "state": {"state": bad},
            "vertex_input": {"state": {"vertexInput": bad}},
            "vertex_binding": {"state": {"vertexInput": {"bindings": [bad]}}},
            "vertex_attribute": {"state": {"vertexInput": {"attributes": [bad]}}},
            "attachment_object": {"state": {"attachments": [bad]}},
        }
        for name, description in places.items():
            with self.subTest(name=name):
                self.assertEqual(self.known_keys(description), set(self.SCHEMA["$defs"][name]["properties"]))
        self.assertEqual(self.known_keys({"state": {}, "qqq": 1}), set(self.SCHEMA["properties"]))
        objects = {name for name, schema in self.SCHEMA["$defs"].items() if schema.get("additionalProperties") is False}
        self.assertEqual(objects, set(places))


if __name__ == "__main__":
    unittest.main()
