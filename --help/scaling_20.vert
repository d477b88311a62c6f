#version 450
layout(location = 0) in vec4 p;
layout(location = 1) in vec4 q;
layout(location = 0) out vec4 v0;
layout(location = 1) out vec4 v1;
layout(location = 2) out vec4 v2;
layout(location = 3) out vec4 v3;
void main() {
  float t0 = q.z * 4.5;
  float t1 = p.y + q.z;
  float t2 = q.w + q.w;
  float t3 = sin(p.z);
  float t4 = t0 - q.w;
  float t5 = q.z * 7.5;
  float t6 = q.w * p.y;
  float t7 = p.y + q.x;
  float t8 = q.x - p.y;
  float t9 = max(t1, t2);
  v0 = vec4(p.y, p.z, q.x, q.y);
  v1 = vec4(q.z, q.w, t0, t1);
  v2 = vec4(t2, t3, t4, t5);
  v3 = vec4(t6, t7, t8, t9);
  gl_Position = p;
}
