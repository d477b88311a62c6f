"""Modules that several pipelines share: `varylink link --manifest ... --share`."""

import json
import unittest

from harness import CliTest
from sharing import READS, VERT, write_manifest

MODES = (["specialize"], ["union"], ["cluster", "--max-variants", "2"], ["cluster", "--max-variants", "1"])


class Share(CliTest):
    def link(self, *policy, **options):
        run = self.run_cli("link", "--manifest", "pipelines.jsonl", "--share", *policy, "-o", "out", "--report", "r.json",
                           **options)
        self.assert_ok(run)
        return json.loads((self.dir / "r.json").read_text())

    def sizes(self, report):
        return {p["name"]: p["interfaces"][0]["after"]["components"] for p in report["pipelines"]}

    def variants(self, report, file):
        return [v for m in report["modules"] if m["file"] == file for v in m["variants"]]

    def test_specialize_is_what_each_gets_alone(self):
        write_manifest(self)
        report = self.link("specialize")
        self.assertEqual(self.sizes(report), {"xy": 2, "sum": 8, "b": 3, "swapped": 4, "first": 1, "last": 2})
        for name in READS:
            self.assert_ok(self.run_cli("link", "shared.vert", f"{name}.frag", "-o", "alone"))
            for stage in next(p for p in report["pipelines"] if p["name"] == name)["stages"]:
                alone = self.dir / "alone" / (stage["file"] + ".spv")
                self.assertEqual((self.dir / stage["output"]).read_bytes(), alone.read_bytes())

    def test_union_keeps_one_module_and_removes_what_nobody_reads(self):
        write_manifest(self)
        report = self.link("union")
        self.assertEqual(set(self.sizes(report).values()), {12})
        [variant] = self.variants(report, "shared.vert")
        self.assertEqual(variant["pipelines"], list(READS))
        self.assertEqual(len(list((self.dir / "out").iterdir())), 1 + len(READS))
        fates = {c["old"]: (c["fate"], c["reason"]) for c in report["pipelines"][0]["interfaces"][0]["components"]}
        self.assertEqual(fates["3.x"][0], "dead")
        self.assertEqual(fates["4.x"][0], "constant")
        self.assertEqual(fates["1.w"], ("kept", "sum.frag, which is used with the same shader, reads it"))

    def test_cluster_has_at_most_so_many_variants_and_loses_least(self):
        write_manifest(self)
        self.assertEqual(len(self.variants(self.link("cluster", "--max-variants", "1"), "shared.vert")), 1)
        self.assertIn("--max-variants needs --share cluster",
                      self.run_cli("link", "--manifest", "m.jsonl", "--share", "union", "--max-variants", "1").err)
        two = self.link("cluster", "--max-variants", "2")
        self.assertEqual(len(self.variants(two, "shared.vert")), 2)
        many = self.link("cluster", "--max-variants", "9")
        self.assertEqual(self.sizes(many), self.sizes(self.link("specialize")))
        union = sum(self.sizes(self.link("union")).values())
        self.assertLess(sum(self.sizes(many).values()), sum(self.sizes(two).values()))
        self.assertLess(sum(self.sizes(two).values()), union)

    def geometry_pipelines(self, geometry):
        """Two pipelines of one vertex stage, by name the geometry and fragment stage."""
        lines = [json.dumps({"name": name, "stages": {"vert": "shared.vert", "geom": geom, "frag": frag}})
                 for name, (geom, frag) in geometry.items()]
        self.write("pipelines.jsonl", "\n".join(lines))

    def test_cluster_is_specialize_where_the_variants_are_enough(self):
        self.write("shared.vert", """#version 450
            layout(location = 0) in vec4 pos; layout(location = 1) in vec4 a;
            layout(location = 0) out vec4 v;
            void main() { gl_Position = pos; v = a; }""")
        self.write("g.geom", """#version 450
            layout(triangles) in; layout(triangle_strip, max_vertices = 3) out;
            layout(location = 0) in vec4 v[];
            layout(location = 0) out vec4 x; layout(location = 1) out vec4 y;
            void main() {
              for (int i = 0; i < 3; i++) { gl_Position = gl_in[i].gl_Position; x = sin(v[i]); y = cos(v[i]); EmitVertex(); }
            }""")
        for read in "xy":
            self.write(f"{read}.frag", f"""#version 450
                layout(location = 0) in vec4 x; layout(location = 1) in vec4 y;
                layout(location = 0) out vec4 o;
                void main() {{ o = sin({read}); }}""")
        self.geometry_pipelines({read: ("g.geom", f"{read}.frag") for read in "xy"})

        def components(*policy):
            return [[side["after"]["components"] for side in p["interfaces"]] for p in self.link(*policy)["pipelines"]]
        # The vertex stage comes out the same in both, and the geometry stage does not.
        self.assertEqual(components("specialize"), [[4, 4], [4, 4]])
        self.assertEqual(components("cluster", "--max-variants", "2"), [[4, 4], [4, 4]])
        self.assertEqual(components("cluster", "--max-variants", "1"), [[4, 8], [4, 8]])

    def test_what_an_index_kept_together_comes_apart_in_a_group_too(self):
        self.write("shared.vert", """#version 450
            layout(location = 0) in vec4 pos; layout(location = 1) in vec4 a;
            layout(location = 0) out vec2 v[3];
            void main() { gl_Position = pos; v[0] = a.xy; v[1] = a.zw; v[2] = a.yx; }""")
        for i, factor in enumerate(("", " * 2.0")):
            self.write(f"{i}.geom", f"""#version 450
                layout(triangles) in; layout(triangle_strip, max_vertices = 3) out;
                layout(set = 0, binding = 0) uniform U {{ int n; }};
                layout(location = 0) in vec2 v[][3];
                layout(location = 0) out vec2 dead; layout(location = 1) out vec2 used;
                void main() {{
                  for (int i = 0; i < 3; i++) {{
                    gl_Position = gl_in[i].gl_Position; dead = v[i][n]; used = v[i][1]{factor}; EmitVertex();
                  }}
                }}""")
        self.write("f.frag", """#version 450
            layout(location = 0) in vec2 dead; layout(location = 1) in vec2 used;
            layout(location = 0) out vec4 o;
            void main() { o = sin(used).xyxy; }""")
        self.geometry_pipelines({"p0": ("0.geom", "f.frag"), "p1": ("1.geom", "f.frag")})
        for policy in ("specialize", "union"):
            sizes = [[side["after"]["components"] for side in p["interfaces"]] for p in self.link(policy)["pipelines"]]
            self.assertEqual(sizes, [[2, 2], [2, 2]], policy)

    def test_every_policy_draws_the_same(self):
        write_manifest(self)
        for mode in MODES:
            run = self.run_cli("link", "--manifest", "pipelines.jsonl", "--share", *mode, "--verify", "--runs", "2")
            if run.status == 8:
                self.skipTest("no Vulkan driver")
            self.assert_ok(run)
            self.assertRegex(run.out, r"\npictures: \d+ identical(, \d+ within tolerance)? on ")

    def test_every_pipeline_fits_together_afterwards(self):
        write_manifest(self)
        for mode in MODES:
            for pipeline in self.link(*mode)["pipelines"]:
                outputs = [stage["output"] for stage in pipeline["stages"]]
                self.assert_ok(self.run_cli("check", "--werror", *outputs))

    def test_linking_the_result_again_changes_nothing(self):
        write_manifest(self)
        report = self.link("union")
        lines = [json.dumps({"name": p["name"], "stages": {s["stage"]: s["output"] for s in p["stages"]}})
                 for p in report["pipelines"]]
        self.write("again.jsonl", "\n".join(lines))
        before = sorted(path.name for path in (self.dir / "out").iterdir())
        self.assert_ok(self.run_cli("link", "--manifest", "again.jsonl", "--share", "union", "-o", "out"))
        self.assertEqual(before, sorted(path.name for path in (self.dir / "out").iterdir()))

    def test_a_pipeline_that_does_not_fit_has_no_say(self):
        write_manifest(self, {**READS, "bad": "a + nobody"})
        text = (self.dir / "bad.frag").read_text().replace("in vec4 nobody", "in ivec2 nobody").replace(
            "a + nobody", "a + vec4(nobody, 0, 0)").replace("layout(location = 3) in", "layout(location = 3) flat in")
        self.write("bad.frag", text)
        run = self.run_cli("link", "--manifest", "pipelines.jsonl", "--share", "union", "--report", "r.json")
        self.assertEqual(run.status, 4, run)
        report = json.loads((self.dir / "r.json").read_text())
        self.assertEqual([p["name"] for p in report["pipelines"] if p["status"] == "failed"], ["bad"])
        self.assertEqual(set(self.sizes({"pipelines": report["pipelines"][:-1]}).values()), {12})

    def test_different_interpolation_keeps_the_slot_where_it_is(self):
        write_manifest(self, {"smooth": "b", "flat": "b"})
        self.write("flat.frag", (self.dir / "flat.frag").read_text().replace("in vec4 b", "flat in vec4 b").replace(
            "1) in flat", "1) flat in"))
        report = self.link("union")
        for pipeline in report["pipelines"]:
            [kept] = [c for c in pipeline["interfaces"][0]["components"] if c["old"] == "1.x"]
            self.assertEqual((kept["new"], kept["reason"]),
                             ("1.x", "the shaders that share this interface declare it differently"))

    def test_a_pipeline_with_an_open_end_keeps_all_outputs(self):
        write_manifest(self, {"xy": READS["xy"]})
        with open(self.dir / "pipelines.jsonl", "a", encoding="utf-8") as manifest:
            manifest.write('{"name": "open", "stages": {"vert": "shared.vert"}}\n')
        self.assertEqual(self.sizes({"pipelines": self.link("union")["pipelines"][:1]}), {"xy": 20})

    def test_a_pipeline_without_fragment_stage_reads_nothing(self):
        write_manifest(self, {"xy": READS["xy"]})
        with open(self.dir / "pipelines.jsonl", "a", encoding="utf-8") as manifest:
            manifest.write('{"name": "depth", "stages": {"vert": "shared.vert"}, "noFragment": true}\n')
        self.assertEqual(self.sizes(self.link("union")), {"xy": 2, "depth": 2})
        self.assertEqual(self.sizes(self.link("specialize")), {"xy": 2, "depth": 0})

    def test_several_vertex_shaders(self):
        # Each vertex shader loses what its own fragment shaders do not read; a constant needs all of them to agree.
        write_manifest(self, {"xy": READS["xy"], "sum": READS["sum"]})
        self.write("other.vert", VERT.replace("vec4(2.0)", "vec4(3.0)"))
        lines = [{"name": "1", "stages": {"vert": "shared.vert", "frag": "xy.frag"}},
                 {"name": "2", "stages": {"vert": "other.vert", "frag": "xy.frag"}},
                 {"name": "3", "stages": {"vert": "other.vert", "frag": "sum.frag"}}]
        self.write("pipelines.jsonl", "\n".join(map(json.dumps, lines)))
        self.assertEqual(self.sizes(self.link("union")), {"1": 2, "2": 8, "3": 8})
        lines.append({"name": "4", "stages": {"vert": "shared.vert", "frag": "sum.frag"}})
        self.write("pipelines.jsonl", "\n".join(map(json.dumps, lines)))
        self.assertEqual(self.sizes(self.link("union")), {"1": 9, "2": 9, "3": 9, "4": 9})

    def test_wrong_use(self):
        write_manifest(self)
        self.assert_refused(1, "--share needs --manifest", "link", "shared.vert", "xy.frag", "--share", "union")
        manifest = ["link", "--manifest", "pipelines.jsonl", "--share"]
        self.assert_refused(1, "-MD and --share", *manifest, "union", "-MD", "-o", "out")
        self.assert_refused(1, "cluster exclude each other", *manifest, "cluster", "--print-cache-key")
        self.assertEqual(self.run_cli(*manifest, "everything").status, 1)


if __name__ == "__main__":
    unittest.main()
