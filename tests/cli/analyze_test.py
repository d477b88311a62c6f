"""varylink analyze."""

import unittest

from harness import CliTest


class Analyze(CliTest):
    def setUp(self):
        super().setUp()
        self.write_pair()

    def test_fragment_shader(self):
        run = self.assert_ok(self.run_cli("analyze", "b.frag"))
        lines = run.out.splitlines()
        self.assertEqual(lines[0], "b.frag (frag)")
        self.assertEqual(lines[1], "  with every producer: vert→frag  components 4 → 2, locations 1 → 1, "
                                   "bytes per vertex 16 → 8  (dead 2)")
        self.assertEqual(lines[2:4], ["    0.z color.z: dead, nobody reads it", "    0.w color.w: dead, nobody reads it"])
        self.assertTrue(lines[4].startswith("    frag  instructions "), run)
        self.assertEqual(lines[5], "  at -O3: no fewer components")
        self.assertEqual(lines[6], "  at most, with a producer that writes constants: components 4 → 0")

    def test_next_level(self):
        self.write("sum.frag", "#version 450\nlayout(location = 0) in vec2 a; layout(location = 0) out vec4 o;\n"
                   "void main() { o = vec4(a.x + a.y > 0.5 ? 1.0 : 0.0); }\n")
        for level, line in (("-O1", "  at -O2: no fewer components\n"),
                            ("-O2", "  at -O3: components 2 → 1, locations 1 → 1\n")):
            self.assertIn(line, self.assert_ok(self.run_cli("analyze", "sum.frag", level)).out)
        self.assertNotIn("  at -O", self.assert_ok(self.run_cli("analyze", "sum.frag", "-O3")).out)

    def test_vertex_shader(self):
        self.write("c.vert", "#version 450\nlayout(location = 0) in vec4 p; layout(location = 0) out vec4 a;\n"
                   "void main() { vec4 q = p * 2.0; a = vec4(q.xy, 1.0, q.x); gl_Position = p; }\n")
        run = self.assert_ok(self.run_cli("analyze", "c.vert"))
        self.assertIn("with every consumer: vert→frag  components 4 → 2,", run.out)
        self.assertIn("    0.z a.z: constant, ", run.out)
        self.assertIn("    0.w a.w: duplicate, ", run.out)
        self.assertIn("at most, with a fragment shader that reads nothing: components 4 → 0\n    vert  instructions", run.out)

    def test_the_partner_is_no_reason_for_warnings(self):
        self.write("array.vert", "#version 450\nlayout(location = 0) in vec4 p; layout(location = 0) out float a[2];\n"
                   "void main() { gl_Position = p; a[0] = p.x; a[1] = p.y; }\n")
        self.assertEqual(self.assert_ok(self.run_cli("analyze", "array.vert")).err, "")

    def test_several_files_and_failures(self):
        self.write("bad.frag", "#version 450\nvoid main() { x; }\n")
        run = self.run_cli("analyze", "a.vert", "bad.frag", "b.frag")
        self.assertEqual(run.status, 2, run)
        self.assertIn("bad.frag:2: error", run.err)
        self.assertIn("a.vert (vert)", run.out)
        self.assertIn("b.frag (frag)", run.out)
        self.write("c.task", "#version 450\n#extension GL_EXT_mesh_shader : require\nlayout(local_size_x = 1) in;\n"
                   "void main() { EmitMeshTasksEXT(1, 1, 1); }\n")
        self.assert_refused(1, "c.task: error: is a task stage, which has no varyings to analyze", "analyze", "c.task")

    def sides(self, file):
        """Lines of each side of the file: a list that begins with its "with every ..."."""
        lines = self.assert_ok(self.run_cli("analyze", file)).out.splitlines()
        starts = [i for i, line in enumerate(lines) if line.startswith("  with every")]
        return [lines[start:end] for start, end in zip(starts, starts[1:] + [len(lines)])]

    def test_control_shader(self):
        self.write("c.tesc", "#version 450\nlayout(vertices = 3) out;\n"
                   "layout(location = 0) in vec4 a[]; layout(location = 0) out vec4 b[]; layout(location = 1) patch out vec2 c;\n"
                   "void main() { b[gl_InvocationID] = vec4(a[gl_InvocationID].xy, 1, 2); c = vec2(a[0].x, 3);\n"
                   "  gl_TessLevelOuter[0] = 1; }\n")
        inputs, outputs = self.sides("c.tesc")
        self.assertTrue(inputs[0].startswith("  with every producer: vert→tesc  components 4 → 2,"), inputs)
        self.assertEqual(inputs[1:3], ["    0.z a.z: dead, nobody reads it", "    0.w a.w: dead, nobody reads it"])
        self.assertEqual(inputs[-1], "  at most, with a producer that writes constants: components 4 → 0")
        self.assertTrue(outputs[0].startswith("  with every consumer: tesc→tese  components 6 → 3,"), outputs)
        self.assertIn("  at most, with an evaluation shader that reads nothing: components 6 → 0", outputs)

    def test_evaluation_shader(self):
        self.write("c.tese", "#version 450\nlayout(triangles) in;\n"
                   "layout(location = 0) in vec4 a[]; layout(location = 1) patch in vec2 b; layout(location = 0) out vec4 c;\n"
                   "void main() { c = vec4(a[0].x * a[1].y, a[2].x, 1, b.y); }\n")
        inputs, outputs = self.sides("c.tese")
        self.assertTrue(inputs[0].startswith("  with every producer: tesc→tese  components 6 → 3,"), inputs)
        self.assertTrue(outputs[0].startswith("  with every consumer: tese→frag  components 4 → 3,"), outputs)
        self.assertIn("  at most, with a fragment shader that reads nothing: components 4 → 0", outputs)

    def test_geometry_shader(self):
        self.write("c.geom", "#version 450\nlayout(triangles) in; layout(triangle_strip, max_vertices = 3) out;\n"
                   "layout(location = 0) in vec4 a[]; layout(location = 0) out vec4 b;\n"
                   "void main() { for (int i = 0; i < 3; ++i) { gl_Position = vec4(i); b = vec4(a[i].xyz, 1); EmitVertex(); } }\n")
        inputs, outputs = self.sides("c.geom")
        self.assertTrue(inputs[0].startswith("  with every producer: vert→geom  components 4 → 3,"), inputs)
        self.assertTrue(outputs[0].startswith("  with every consumer: geom→frag  components 4 → 3,"), outputs)

    def test_mesh_shader(self):
        self.write("c.mesh", "#version 450\n#extension GL_EXT_mesh_shader : require\n"
                   "layout(local_size_x = 1) in; layout(triangles, max_vertices = 3, max_primitives = 1) out;\n"
                   "layout(location = 0) out vec2 a[]; layout(location = 1) perprimitiveEXT out ivec2 b[];\n"
                   "void main() { SetMeshOutputsEXT(3, 1);\n"
                   "  for (int i = 0; i < 3; ++i) { gl_MeshVerticesEXT[i].gl_Position = vec4(i); a[i] = vec2(i, 1); }\n"
                   "  gl_PrimitiveTriangleIndicesEXT[0] = uvec3(0, 1, 2); b[0] = ivec2(gl_WorkGroupID.x, 7); }\n")
        outputs, = self.sides("c.mesh")
        self.assertTrue(outputs[0].startswith("  with every consumer: mesh→frag  components 4 → 2,"), outputs)
        self.assertIn("  at most, with a fragment shader that reads nothing: components 4 → 0", outputs)

    def test_inputs_per_primitive(self):
        self.write("c.frag", "#version 450\n#extension GL_EXT_mesh_shader : require\n"
                   "layout(location = 0) in vec4 a; layout(location = 1) perprimitiveEXT in vec4 b;\n"
                   "layout(location = 0) out vec4 o; void main() { o = a + b.xxyy; }\n")
        inputs, = self.sides("c.frag")
        self.assertTrue(inputs[0].startswith("  with every producer: mesh→frag  components 8 → 6,"), inputs)


if __name__ == "__main__":
    unittest.main()
