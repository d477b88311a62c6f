"""A pair of WGSL as Chromium's compiler writes it: functions return whole structs, and each access has the memory operand None."""

import json
import pathlib
import re
import sys
import unittest

from harness import CliTest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import tint  # noqa: E402

# Sixteen components cross. Six have to: the normal, two coordinates and one of the world's position.
PAIR = """
struct Camera { view_projection: mat4x4f, eye: vec4f, tint: vec4f }
struct Model { matrix: mat4x4f, uv_scale: vec2f, roughness: f32, fog: f32 }
@group(0) @binding(0) var<uniform> camera: Camera;
@group(0) @binding(1) var<uniform> model: Model;

struct Vertex { @location(0) position: vec3f, @location(1) normal: vec3f, @location(2) uv: vec2f }
struct Varyings {
  @builtin(position) clip: vec4f,
  @location(0) uv: vec2f,
  @location(1) normal: vec3f,
  @location(2) tint: vec4f,
  @location(3) same_uv: vec2f,
  @location(4) material: vec4f,
  @location(5) one: f32,
}

@vertex fn vs(v: Vertex) -> Varyings {
  var out: Varyings;
  let world = model.matrix * vec4f(v.position, 1.0);
  out.clip = camera.view_projection * world;
  out.uv = v.uv;
  out.same_uv = v.uv;
  out.normal = v.normal;
  out.tint = camera.tint;
  out.material = vec4f(model.roughness, model.fog, world.x, 0.5);
  out.one = 1.0;
  return out;
}

@fragment fn fs(in: Varyings) -> @location(0) vec4f {
  let light = max(dot(normalize(in.normal), vec3f(0.0, 0.6, 0.8)), camera.eye.w) * model.uv_scale.x;
  let shade = in.tint.rgb * light * in.one + vec3f(in.material.x, in.material.w, in.material.z);
  return vec4f(shade * in.uv.x * in.same_uv.y, in.tint.a);
}
"""
BUFFERS = [{"arrayStride": 32, "attributes": [{"shaderLocation": 0, "offset": 0, "format": "float32x3"},
                                              {"shaderLocation": 1, "offset": 12, "format": "float32x3"},
                                              {"shaderLocation": 2, "offset": 24, "format": "float32x2"}]}]


class Tint(CliTest):
    def setUp(self):
        if not tint.available():
            self.skipTest("no Chromium that draws WebGPU (third_party/install-debian.sh --browser)")
        super().setUp()

    def components(self, stages):
        """Before and after."""
        for stage, text in stages.items():
            self.write(f"wgsl.{stage}.spvasm", text)
        # Tint writes SPIR-V 1.4 for Vulkan 1.1.
        self.assert_ok(self.run_cli("link", "--target-env", "vulkan1.1spv1.4", "wgsl.vert.spvasm", "wgsl.frag.spvasm", "-o",
                                    "out/", "--report", "report.json"))
        summary = json.loads((self.dir / "report.json").read_text())["summary"]
        return summary["before"]["components"], summary["after"]["components"]

    def test_as_it_comes(self):
        stages = tint.spirv_of(PAIR, BUFFERS)
        self.assertRegex(stages["vert"], r"OpStore %\w+ %\w+ None\n")
        self.assertEqual(self.components(stages), (16, 6))

    def test_without_memory_operands(self):
        stages = {stage: re.sub(r"(Op(?:Load|Store) .*) None$", r"\1", text, flags=re.M)
                  for stage, text in tint.spirv_of(PAIR, BUFFERS).items()}
        self.assertEqual(self.components(stages), (16, 6))


if __name__ == "__main__":
    unittest.main()
