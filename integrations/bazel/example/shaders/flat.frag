#version 450
in vec4 fog;
layout(location = 0) out vec4 target;
void main() { target = vec4(fog.y); }
