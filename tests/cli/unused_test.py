"""The report says which attributes, bindings and specialization constants the linked code does not use any more."""

import json
import unittest

from harness import CliTest

SHADERS = {"a.vert": """#version 450
layout(constant_id = 1) const float gain = 1.0;
layout(constant_id = 2) const float unread_gain = 1.0;
layout(location = 0) in vec4 position;
layout(location = 1) in vec3 tangent;
layout(location = 2) in mat4 bones;
layout(location = 6) in vec4 never;
layout(set = 0, binding = 0) uniform Camera { mat4 view; } camera;
layout(set = 0, binding = 1) uniform Wind { vec4 force; } wind;
layout(set = 0, binding = 2) uniform Both { vec4 tint; } both;
layout(location = 0) out vec4 color;
layout(location = 1) out vec4 dead;
layout(location = 2) out vec3 kept;
void main() {
  gl_Position = camera.view * position;
  color = vec4(1.0);
  kept = position.xyz * position.w * gain;
  dead = vec4(tangent, unread_gain) + wind.force + bones * position + both.tint;
}
""", "b.frag": """#version 450
layout(location = 0) in vec4 color;
layout(location = 1) in vec4 dead;
layout(location = 2) in vec3 kept;
layout(set = 0, binding = 2) uniform Both { vec4 tint; } both;
layout(set = 1, binding = 0) uniform sampler2D image;
layout(location = 0) out vec4 result;
void main() { result = color * both.tint + vec4(sqrt(kept), 0.0) + texture(image, kept.xy); }
"""}


class Unused(CliTest):
    def unused(self, *options):
        for name, text in SHADERS.items():
            self.write(name, text)
        self.assert_ok(self.run_cli("link", "a.vert", "b.frag", "-o", "out", "--report", "r.json", *options))
        pipeline, = json.loads((self.dir / "r.json").read_text())["pipelines"]
        return pipeline["unused"]

    def test_what_linking_made_unused(self):
        unused = self.unused()
        attributes = {entry["location"]: entry for entry in unused["vertex_attributes"]}
        self.assertEqual({location: entry["locations"] for location, entry in attributes.items()}, {1: 1, 2: 4, 6: 1})
        self.assertEqual({location: entry["was_used"] for location, entry in attributes.items()},
                         {1: True, 2: True, 6: False})
        self.assertEqual(attributes[1]["name"], "tangent")
        bindings = {(entry["set"], entry["binding"]): entry for entry in unused["bindings"]}
        self.assertEqual(set(bindings), {(0, 1), (0, 2)})
        self.assertEqual((bindings[0, 1]["stages"], bindings[0, 1]["unused_by_all"]), (["vert"], True))
        # The fragment stage still reads it.
        self.assertEqual((bindings[0, 2]["stages"], bindings[0, 2]["unused_by_all"]), (["vert"], False))
        constants = unused["specialization_constants"]
        self.assertEqual([(entry["id"], entry["stages"], entry["was_used"]) for entry in constants],
                         [(2, ["vert"], True)])

    def test_what_is_used_is_not_listed(self):
        unused = self.unused("-O0")
        self.assertEqual([entry["location"] for entry in unused["vertex_attributes"]], [6])
        self.assertEqual((unused["bindings"], unused["specialization_constants"]), ([], []))

    def test_debug_information_is_no_use(self):
        self.assertEqual(self.unused("-g"), self.unused())


if __name__ == "__main__":
    unittest.main()
