layout(set = 0, binding = 0) uniform Camera {
  mat4 view_projection;
  vec4 eye;
} camera;
