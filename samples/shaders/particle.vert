// A billboard per particle, four vertices each. Soft particles and flip-book animation share this shader.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "camera.glsl"

struct Particle { vec4 position_size; vec4 color; float age; uint frame; uint texture_index; uint flags; };
layout(set = 1, binding = 0, std430) readonly buffer Particles { Particle particles[]; };

layout(location = 0) out vec2 uv;
layout(location = 1) out vec2 mask_uv;
layout(location = 2) out vec4 color;
layout(location = 3) flat out uint frame;
layout(location = 4) flat out uint texture_index;
layout(location = 5) flat out uint flags;
layout(location = 6) out float view_depth;
layout(location = 7) out float softness;

void main() {
  Particle particle = particles[gl_VertexIndex / 4];
  vec2 corner = vec2(gl_VertexIndex & 1, (gl_VertexIndex >> 1) & 1);
  vec4 center = camera.view * vec4(particle.position_size.xyz, 1.0);
  center.xy += (corner - 0.5) * particle.position_size.w;
  uv = corner;
  mask_uv = corner;
  color = vec4(particle.color.rgb, particle.color.a * (1.0 - particle.age));
  frame = particle.frame;
  texture_index = particle.texture_index;
  flags = particle.flags;
  view_depth = -center.z;
  softness = 0.25;
  gl_Position = camera.view_projection * vec4(center.xyz, 1.0);
}
