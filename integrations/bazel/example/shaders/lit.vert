#version 450
#extension GL_GOOGLE_include_directive : require
#include "camera.glsl"
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
out vec3 surface;
out vec4 fog;
out vec2 unused;
void main() {
  surface = normal;
  fog = vec4(distance(position, camera.eye.xyz));
  unused = position.xy;
  gl_Position = camera.view_projection * vec4(position, 1.0);
}
