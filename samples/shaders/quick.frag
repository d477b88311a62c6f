#version 450
layout(location = 0) in Vertex { vec4 tint; vec4 spare; } v;
layout(location = 2) in vec4 fog;
layout(location = 3) in vec2 scale;

layout(location = 0) out vec4 target;

void main() { target = v.tint * scale.y + fog.x; }
