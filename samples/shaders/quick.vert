#version 450
layout(location = 0) in vec3 position;
layout(location = 1) in vec4 color;

layout(location = 0) out Vertex { vec4 tint; vec4 spare; } v;
layout(location = 2) out vec4 fog;
layout(location = 3) out vec2 scale;

void main() {
  gl_Position = vec4(position, 1.0);
  v.tint = color;
  v.spare = color * 0.5;
  fog = vec4(position.z, color.rgb);
  scale = vec2(1.0, 2.0);
}
