#version 450
layout(push_constant) uniform Push {
  vec4 tint;
  vec2 offset;
} push;
layout(location = 0) out vec4 color;
layout(location = 1) out vec4 tint;
layout(location = 2) out vec2 place;
layout(location = 3) out vec2 place_again;
layout(location = 4) out vec3 unread;
void main() {
  vec2 corner = vec2(gl_VertexIndex & 1, gl_VertexIndex >> 1);
  gl_Position = vec4(corner * 1.7 - 0.9 + push.offset, 0.0, 1.0);
  color = vec4(corner, 0.25, 1.0);
  tint = push.tint;
  place = corner;
  place_again = corner;
  unread = vec3(corner, 1.0) * 3.0;
}
