#version 450
layout(location = 0) in vec4 v0;
layout(location = 1) in vec4 v1;
layout(location = 2) in vec4 v2;
layout(location = 3) in vec4 v3;
layout(location = 0) out vec4 o;
void main() {
  float t0 = v2.x + v1.y;
  float t1 = v2.x * 5.5;
  float t2 = v1.w * 2.5;
  float t3 = v2.y * 4.5;
  float t4 = v2.z + t3;
  float t5 = t4 - v2.x;
  float t6 = max(v1.y, v3.x);
  float t7 = v1.x * 8.5;
  float t8 = sin(v1.w);
  float t9 = v1.z - v3.y;
  o = vec4(t6, t7, t8, t9);
}
