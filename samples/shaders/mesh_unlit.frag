// A material without light: texture times vertex colour.
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

layout(location = 0) out vec4 target;

void main() { target = texture(albedo_map, surface.uv) * surface.color; }
