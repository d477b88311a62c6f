#version 450
in vec3 surface;
in vec4 fog;
layout(location = 0) out vec4 target;
void main() { target = vec4(max(normalize(surface).yyy, 0.0), fog.x); }
