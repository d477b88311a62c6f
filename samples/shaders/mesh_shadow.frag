// The shadow pass of an alpha-tested material. It draws with the same vertex shader as the colour pass.
#version 450

layout(set = 1, binding = 0) uniform sampler2D albedo_map;

layout(location = 0) in Surface {
  vec3 world_position;
  vec3 view_position;
  vec3 normal;
  vec3 tangent;
  vec3 bitangent;
  vec2 uv;
  vec2 lightmap_uv;
  vec4 color;
  vec3 to_eye;
  float fog;
} surface;

void main() {
  if (texture(albedo_map, surface.uv).a * surface.color.a < 0.5) discard;
}
