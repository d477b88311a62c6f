#version 450

layout(location = 0) in vec3 direction;
layout(location = 1) in vec3 zenith_color;
layout(location = 2) in vec3 horizon_color;
layout(location = 3) in vec2 screen;
layout(location = 4) in vec2 screen_uv;

layout(location = 0) out vec4 target;

void main() {
  float height = clamp(normalize(direction).y, 0.0, 1.0);
  vec3 color = mix(horizon_color, zenith_color, sqrt(height));
  float vignette = 1.0 - 0.2 * dot(screen, screen);
  target = vec4(color * vignette, 1.0);
}
