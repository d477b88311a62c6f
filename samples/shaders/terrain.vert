// Terrain with four splat layers and four shadow cascades, sent as arrays and a matrix.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "camera.glsl"

layout(set = 1, binding = 0) uniform Cascades { mat4 light_view_projection[4]; vec4 splits; } cascades;
layout(set = 1, binding = 1) uniform Layers { vec4 scale_offset[4]; } layers;

layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec4 weights;

layout(location = 0) out mat3 basis;
layout(location = 3) out vec4 shadow_coordinate[4];
layout(location = 7) out vec2 layer_uv[4];
layout(location = 11) out vec4 layer_weights;
layout(location = 12) out float view_depth;

void main() {
  vec3 tangent = normalize(vec3(normal.y, -normal.x, 0.0));
  basis = mat3(tangent, cross(normal, tangent), normal);
  for (int i = 0; i < 4; ++i) shadow_coordinate[i] = cascades.light_view_projection[i] * vec4(position, 1.0);
  for (int i = 0; i < 4; ++i) layer_uv[i] = position.xz * layers.scale_offset[i].xy + layers.scale_offset[i].zw;
  layer_weights = weights;
  view_depth = -(camera.view * vec4(position, 1.0)).z;
  gl_Position = camera.view_projection * vec4(position, 1.0);
}
