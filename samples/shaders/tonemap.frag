#version 450

layout(set = 0, binding = 0) uniform sampler2D scene;
layout(set = 0, binding = 1) uniform sampler2D bloom;

layout(location = 0) in vec2 uv;
layout(location = 1) in vec3 uv_depth;
layout(location = 2) in float exposure;

layout(location = 0) out vec4 target;

void main() {
  vec3 color = (texture(scene, uv).rgb + texture(bloom, uv_depth.xy).rgb) * exposure;
  target = vec4(color / (color + 1.0), 1.0);
}
