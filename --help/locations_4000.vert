#version 450
layout(location = 0) in vec4 p;
layout(location = 1) in ivec4 q;
layout(location = 0) out vec4 v[4000];
void main() {
  gl_Position = p;
  v[3] = p; v[5] = p * p;
}
