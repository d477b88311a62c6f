// A transparent surface that reflects its surroundings.
#version 450

layout(set = 1, binding = 0) uniform samplerCube surroundings;

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
  vec3 normal = normalize(surface.normal), to_eye = normalize(surface.to_eye);
  float rim = pow(1.0 - max(dot(normal, to_eye), 0.0), 5.0);
  target = vec4(texture(surroundings, reflect(-to_eye, normal)).rgb, mix(0.1, 1.0, rim)) * surface.color;
}
