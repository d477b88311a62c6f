// What every scene pipeline binds at set 0.
layout(set = 0, binding = 0) uniform Camera {
  mat4 view_projection;
  mat4 view;
  vec3 eye;
  float time;
} camera;
