"""Why components of shared modules stay: each reason is that of the fact, and names the interface of the pipeline."""

import json
import unittest

from harness import CliTest

VERTEX = """#version 450
layout(location = 0) in vec4 p;
layout(location = 0) out vec4 a;
layout(location = 1) out vec4 b;
void main() { gl_Position = p; a = p * p; b = sin(p); }"""
OTHER_VERTEX = VERTEX.replace("sin", "cos")
GEOMETRY = """#version 450
layout(triangles) in; layout(triangle_strip, max_vertices = 3) out;
layout(location = 0) in vec4 a[];
layout(location = 0) out vec4 c;
void main() { for (int i = 0; i < 3; ++i) { gl_Position = gl_in[i].gl_Position; c = a[i]; EmitVertex(); } }"""
MESH = """#version 460
#extension GL_EXT_mesh_shader : require
layout(local_size_x = 3) in; layout(triangles, max_vertices = 3, max_primitives = 1) out;
layout(location = 0) out vec4 a[];
void main() {
  SetMeshOutputsEXT(3, 1);
  a[gl_LocalInvocationIndex] = vec4(gl_LocalInvocationIndex);
  gl_MeshVerticesEXT[gl_LocalInvocationIndex].gl_Position = vec4(gl_LocalInvocationIndex);
  if (gl_LocalInvocationIndex == 0) gl_PrimitiveTriangleIndicesEXT[0] = uvec3(0, 1, 2);
}"""
READS_A = """#version 450
layout(location = 0) in vec4 a; layout(location = 0) out vec4 color;
void main() { color = a; }"""
READS_BOTH = READS_A.replace("color = a", "color = a * b").replace("layout(location = 0) out",
                                                                   "layout(location = 1) in vec4 b; layout(location = 0) out")
TOO_LONG = READS_A.replace("void main", "vec4 f0(vec4 x) { return sin(x) * x; }\n" + "".join(
    f"vec4 f{i}(vec4 x) {{ return f{i - 1}(x.wzyx) + f{i - 1}(x); }}\n" for i in range(1, 19)) + "void main").replace(
        "color = a", "color = f18(a)")


class SharedReasons(CliTest):
    def pipelines(self, **stages):
        """The report by pipeline; `stages` are those of each, as file names."""
        self.write("p.jsonl", "\n".join(json.dumps({"name": name, "stages": each}) for name, each in stages.items()))
        self.assert_ok(self.run_cli("link", "--manifest", "p.jsonl", "--share", "union", "-o", "out", "--report", "r.json"))
        return {p["name"]: p for p in json.loads((self.dir / "r.json").read_text())["pipelines"]}

    def reasons(self, pipeline, interface=0):
        return {c["old"]: (c["fate"], c["reason"]) for c in pipeline["interfaces"][interface]["components"]}

    def setUp(self):
        super().setUp()
        for name, text in {"v.vert": VERTEX, "w.vert": OTHER_VERTEX, "g.geom": GEOMETRY, "m.mesh": MESH, "a.frag": READS_A,
                           "c.frag": READS_A.replace("vec4 a", "vec4 c").replace("= a", "= c"), "ab.frag": READS_BOTH,
                           "long.frag": TOO_LONG}.items():
            self.write(name, text)

    def test_readers_of_different_kinds(self):
        found = self.pipelines(flat={"vert": "v.vert", "frag": "ab.frag"},
                               solid={"vert": "v.vert", "geom": "g.geom", "frag": "c.frag"})
        self.assertEqual(set(self.reasons(found["flat"]).values()), {("kept", "stages of different kinds read this interface")})
        self.assertEqual(self.reasons(found["solid"])["1.x"], ("kept", "ab.frag, which is used with the same shader, reads it"))

    def test_writers_of_different_kinds(self):
        found = self.pipelines(vertices={"vert": "v.vert", "frag": "a.frag"}, meshes={"mesh": "m.mesh", "frag": "a.frag"})
        self.assertEqual(self.reasons(found["meshes"])["0.x"], ("kept", "stages of different kinds write this interface"))

    def test_remarks_name_the_interface_of_the_pipeline(self):
        found = self.pipelines(flat={"vert": "v.vert", "frag": "ab.frag"},
                               solid={"vert": "v.vert", "geom": "g.geom", "frag": "c.frag"})
        said = "not run: it works on one producer and one consumer, and this interface has more"
        for name, interface in {"flat": "vert->frag", "solid": "vert->geom"}.items():
            self.assertEqual({r["stage"] for r in found[name]["remarks"] if r["message"] == said}, {interface})

    def test_a_stage_behind_that_is_not_known(self):
        found = self.pipelines(whole={"vert": "v.vert", "frag": "ab.frag"}, open={"vert": "v.vert"})
        self.assertEqual(self.reasons(found["whole"])["0.x"],
                         ("kept", "some pipeline does not say which stage comes behind this one"))

    def test_a_stage_in_front_that_is_not_known(self):
        found = self.pipelines(whole={"vert": "v.vert", "frag": "ab.frag"}, open={"frag": "ab.frag"})
        self.assertEqual(self.reasons(found["whole"])["0.x"],
                         ("kept", "some pipeline does not say which stage comes in front of this one"))

    def test_a_pipeline_that_ends_there_has_a_rasterizer(self):
        self.write("v.vert", """#version 450
            layout(location = 0) in vec4 p;
            out gl_PerVertex { vec4 gl_Position; float gl_ClipDistance[2]; };
            void main() { gl_Position = p; gl_ClipDistance[0] = p.x; gl_ClipDistance[1] = p.y; }""")
        self.write("g.geom", """#version 450
            layout(triangles) in; layout(triangle_strip, max_vertices = 3) out;
            in gl_PerVertex { vec4 gl_Position; float gl_ClipDistance[2]; } gl_in[];
            void main() { for (int i = 0; i < 3; ++i) { gl_Position = vec4(gl_in[i].gl_ClipDistance[0]); EmitVertex(); } }""")
        lines = [{"name": "solid", "stages": {"vert": "v.vert", "geom": "g.geom"}, "noFragment": True},
                 {"name": "depth", "stages": {"vert": "v.vert"}, "noFragment": True}]
        self.write("p.jsonl", "\n".join(json.dumps(line) for line in lines))
        run = self.run_cli("link", "--manifest", "p.jsonl", "--share", "union", "-o", "out", "--report", "r.json", "--prove", "require")
        self.assert_ok(run)
        depth = json.loads((self.dir / "r.json").read_text())["pipelines"][1]
        self.assertEqual(depth["proof"]["verdict"], "proved")

    def test_no_reader_of_this_writer(self):
        found = self.pipelines(both={"vert": "v.vert", "frag": "ab.frag"}, one={"vert": "w.vert", "frag": "a.frag"},
                               mixed={"vert": "v.vert", "frag": "a.frag"})
        self.assertEqual(self.reasons(found["one"])["1.x"], ("dead", "no shader that is used with this one reads it"))

    def test_a_module_that_stays_as_it_came(self):
        found = self.pipelines(short={"vert": "v.vert", "frag": "a.frag"}, long={"vert": "v.vert", "frag": "long.frag"})
        frozen = "the module stays as it came: it has more than 200000 instructions with its functions inlined"
        self.assertIn(frozen, [r["message"] for r in found["long"]["remarks"]])
        self.assertEqual(self.reasons(found["short"])["0.x"], ("kept", "a variable in its location stays: " + frozen))


if __name__ == "__main__":
    unittest.main()
