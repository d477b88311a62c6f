#version 450
#extension GL_GOOGLE_include_directive : require
#include "camera.glsl"
layout(location = 0) in vec3 position;
out vec3 direction;
out vec2 unused;
void main() {
  direction = position;
  unused = position.xy;
  gl_Position = (camera.view_projection * vec4(position, 0.0)).xyww;
}
