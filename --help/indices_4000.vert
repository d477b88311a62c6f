#version 450
layout(location = 0) in vec4 p;
layout(location = 1) in ivec4 q;
layout(location = 0) out vec4 v[5];
void main() {
  gl_Position = p;
  v[0] = p * 2.0;
  v[1] = p * 3.0;
  v[2] = p * 4.0;
  v[3] = p * 5.0;
  v[4] = p * 6.0;
}
