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

    def test_several_files_and_failures(self):
        self.write("bad.frag", "#version 450\nvoid main() { x; }\n")
        run = self.run_cli("analyze", "a.vert", "bad.frag", "b.frag")
        self.assertEqual(run.status, 2, run)
        self.assertIn("bad.frag:2: error", run.err)
        self.assertIn("a.vert (vert)", run.out)
        self.assertIn("b.frag (frag)", run.out)
        self.write("c.tesc", "#version 450\nlayout(vertices = 3) out;\nvoid main() {}\n")
        self.assert_refused(1, "c.tesc: error: is a tesc stage", "analyze", "c.tesc")


if __name__ == "__main__":
    unittest.main()
