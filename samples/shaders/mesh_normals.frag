// A debug view: the interpolated normal as a colour.
#version 450

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

void main() { target = vec4(normalize(surface.normal) * 0.5 + 0.5, 1.0); }
