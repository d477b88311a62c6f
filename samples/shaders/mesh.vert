// The vertex shader that every opaque mesh uses, whatever its material. It sends all that any material could want.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "camera.glsl"

layout(push_constant) uniform Object { mat4 model; vec4 uv_transform; } object;

layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec4 tangent;
layout(location = 3) in vec2 uv;
layout(location = 4) in vec2 lightmap_uv;
layout(location = 5) in vec4 color;

layout(location = 0) out Surface {
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
  vec4 world = object.model * vec4(position, 1.0);
  mat3 rotation = mat3(object.model);
  surface.world_position = world.xyz;
  surface.view_position = (camera.view * world).xyz;
  surface.normal = normalize(rotation * normal);
  surface.tangent = normalize(rotation * tangent.xyz);
  surface.bitangent = cross(surface.normal, surface.tangent) * tangent.w;
  surface.uv = uv * object.uv_transform.xy + object.uv_transform.zw;
  surface.lightmap_uv = lightmap_uv;
  surface.color = color;
  surface.to_eye = camera.eye - world.xyz;
  surface.fog = 1.0 - exp(-0.01 * length(surface.view_position));
  gl_Position = camera.view_projection * world;
}
