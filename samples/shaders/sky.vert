// A sky drawn as one triangle behind everything else.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "camera.glsl"

layout(location = 0) out vec3 direction;
layout(location = 1) out vec3 zenith_color;
layout(location = 2) out vec3 horizon_color;
layout(location = 3) out vec2 screen;
layout(location = 4) out vec2 screen_uv;

void main() {
  vec2 corner = vec2((gl_VertexIndex << 1) & 2, gl_VertexIndex & 2);
  screen = corner * 2.0 - 1.0;
  screen_uv = corner;
  direction = transpose(mat3(camera.view)) * vec3(screen, -1.0);
  zenith_color = vec3(0.10, 0.25, 0.60);
  horizon_color = vec3(0.70, 0.80, 0.90);
  gl_Position = vec4(screen, 1.0, 1.0);
}
