#version 450
in vec3 direction;
layout(location = 0) out vec4 target;
void main() { target = vec4(normalize(direction) * 0.5 + 0.5, 1.0); }
