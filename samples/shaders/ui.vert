// A user interface batch. Written for a compiler that numbers varyings itself: no locations, matched by name.
#version 450

layout(push_constant) uniform Screen { vec2 scale; vec2 offset; } screen;

layout(location = 0) in vec2 position;
layout(location = 1) in vec2 uv;
layout(location = 2) in vec4 color;
layout(location = 3) in vec4 clip_rectangle;

out vec2 pixel;
out vec4 clip;
out vec4 tint;
out vec2 texcoord;
out float opacity;

void main() {
  pixel = position;
  clip = clip_rectangle;
  tint = color;
  texcoord = uv;
  opacity = 1.0;
  gl_Position = vec4(position * screen.scale + screen.offset, 0.0, 1.0);
}
