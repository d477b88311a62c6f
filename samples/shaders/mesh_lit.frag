// A normal-mapped surface under one directional light.
#version 450

layout(set = 1, binding = 0) uniform sampler2D albedo_map;
layout(set = 1, binding = 1) uniform sampler2D normal_map;
layout(set = 1, binding = 2) uniform Light { vec3 direction; vec3 color; vec3 ambient; vec3 fog_color; } light;

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

vec3 shaded_normal() {
  vec3 mapped = texture(normal_map, surface.uv).xyz * 2.0 - 1.0;
  return normalize(mat3(surface.tangent, surface.bitangent, surface.normal) * mapped);
}

void main() {
  vec3 normal = shaded_normal();
  vec3 half_vector = normalize(light.direction + normalize(surface.to_eye));
  vec4 albedo = texture(albedo_map, surface.uv);
  vec3 diffuse = light.color * max(dot(normal, light.direction), 0.0) + light.ambient;
  vec3 specular = light.color * pow(max(dot(normal, half_vector), 0.0), 32.0);
  target = vec4(mix(albedo.rgb * diffuse + specular, light.fog_color, surface.fog), albedo.a);
}
