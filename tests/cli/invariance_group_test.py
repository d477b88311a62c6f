"""Pipelines whose vertices have to land on the same places: `varylink link --manifest ... --invariance-group`."""

import json
import unittest

from harness import CliTest

HEAD = """#version 450
layout(location = 0) in vec4 position;
layout(location = 1) in vec4 color;
layout(set = 0, binding = 0) uniform Camera { mat4 model; mat4 view; } camera;
"""
DEPTH = HEAD + """void main() {
  vec4 world = camera.model * position;
  gl_Position = camera.view * world + vec4(position.x * position.y);
}
"""
MAIN = HEAD + """layout(location = 0) out vec4 used;
layout(location = 1) out vec4 unused;
void main() {
  unused = color * 2.0;
  vec4 world = camera.model * position;
  used = sin(world);
  gl_Position = camera.view * world + vec4(position.x * position.y);
}
"""
# What the varying needs stands in front of the position's code, which then takes it from there.
SHARING = MAIN.replace("unused = color * 2.0;", "unused = color; used = vec4(sin(position.x * position.y));").replace(
    "used = sin(world);", "")
FRAG = """#version 450
layout(location = 0) in vec4 used;
layout(location = 1) in vec4 unused;
layout(location = 0) out vec4 result;
void main() { result = used * used; }
"""


class InvarianceGroup(CliTest):
    def link(self, vertex, *options, group="depth,main", status=0):
        """Links a depth pre-pass with a main pass that has this vertex shader; returns the report and what was said."""
        self.write("depth.vert", DEPTH)
        self.write("main.vert", vertex)
        self.write("main.frag", FRAG)
        lines = [{"name": "depth", "stages": {"vert": "depth.vert"}, "noFragment": True},
                 {"name": "main", "stages": {"vert": "main.vert", "frag": "main.frag"}}]
        self.write("pipelines.jsonl", "\n".join(map(json.dumps, lines)))
        run = self.run_cli("link", "--manifest", "pipelines.jsonl", "--report", "r.json", "-o", "out",
                           "--invariance-group", group, *options)
        self.assertEqual(run.status, status, run)
        return json.loads((self.dir / "r.json").read_text()), run.err

    def components(self, report):
        return report["pipelines"][1]["interfaces"][0]["after"]["components"]

    def test_equal_code_stays_equal(self):
        for policy in ([], ["--share", "specialize"], ["--share", "union"], ["--share", "cluster"]):
            report, said = self.link(MAIN, *policy)
            self.assertEqual(said, "")
            self.assertEqual(self.components(report), 4)
            for pipeline in report["pipelines"]:
                self.assertIn("the position code is the same in depth, main", [r["message"] for r in pipeline["remarks"]])
            self.assertEqual(report["options"]["--invariance-group"], "depth,main")

    def test_code_that_linking_would_change_is_passed_through(self):
        report, said = self.link(SHARING)
        self.assertIn("linking changed the position code of 'depth' and 'main' in different ways; the pipelines are "
                      "passed through as they came", said)
        self.assertEqual(self.components(report), 8)
        self.link(SHARING, "--werror", status=4)

    def test_sizes_of_points_move_none(self):
        sized = MAIN.replace("gl_Position =", "gl_PointSize = position.w; gl_Position =")
        report, said = self.link(sized)
        self.assertEqual(said, "")
        self.assertEqual(self.components(report), 4)

    def test_code_that_differs_from_the_start(self):
        report, said = self.link(MAIN.replace("camera.view * world", "camera.view * camera.model * position"))
        self.assertIn("positions are not kept equal (depth, main): the shaders of 'depth' and 'main' compute positions "
                      "in different ways before linking", said)
        self.assertEqual(self.components(report), 4)

    def test_constants_buffers_and_decorations_count(self):
        for change in (("position.x * position.y", "position.x * position.z"), ("binding = 0", "binding = 1"),
                       ("mat4 model; mat4 view;", "vec4 time; mat4 model; mat4 view;"),
                       ("void main", "invariant gl_Position; void main"), ("vec4 world", "precise vec4 world")):
            self.assertIn("before linking", self.link(MAIN.replace(*change))[1], change)

    def test_what_does_not_count(self):
        for change in (("used = sin(world)", "used = sin(world * 3.0)"), ("mat4 view;", "mat4 view; vec4 more;"),
                       ("unused = color * 2.0;", "unused = color.x > 0.5 ? color : sin(color);")):
            self.assertEqual(self.link(MAIN.replace(*change))[1], "", change)

    def test_other_stages_cannot_be_compared(self):
        self.write("geom.geom", "#version 450\nlayout(triangles) in; layout(triangle_strip, max_vertices = 3) out;\n"
                   "void main() { gl_Position = gl_in[0].gl_Position; EmitVertex(); }")
        self.link(MAIN)
        with open(self.dir / "pipelines.jsonl", "a", encoding="utf-8") as manifest:
            manifest.write('\n{"name": "geom", "stages": {"vert": "depth.vert", "geom": "geom.geom"}, "noFragment": true}')
        run = self.assert_ok(self.run_cli("link", "--manifest", "pipelines.jsonl", "--invariance-group", "depth,geom"))
        self.assertIn("only vertex shaders can be compared, and 'geom' has other stages behind it", run.err)

    def test_wrong_use(self):
        self.link(MAIN)
        manifest = ["link", "--manifest", "pipelines.jsonl", "--invariance-group"]
        self.assert_refused(1, "no pipeline 'shadow'", *manifest, "depth,shadow")
        self.assert_refused(1, "two or more pipelines", *manifest, "depth")
        self.assert_refused(1, "--invariance-group needs --manifest", "link", "main.vert", "--invariance-group", "a,b")
        self.assert_refused(1, "exclude each other", *manifest, "depth,main", "--print-cache-key")


if __name__ == "__main__":
    unittest.main()
