// A static surface: its light was baked into a texture.
#version 450

layout(set = 1, binding = 0) uniform sampler2D albedo_map;
layout(set = 1, binding = 1) uniform sampler2D light_map;
layout(set = 1, binding = 2) uniform Fog { vec3 color; } fog;

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

layout(location = 0) out vec4 target;

void main() {
  vec3 lit = texture(albedo_map, surface.uv).rgb * texture(light_map, surface.lightmap_uv).rgb;
  target = vec4(mix(lit, fog.color, surface.fog), 1.0);
}
