#version 450
#extension GL_GOOGLE_include_directive : require
#include "light.glsl"
in vec3 world;
in vec3 surface;
in vec4 fog;
layout(location = 0) out vec4 target;
void main() { target = vec4(light(normalize(surface)), fog.x); }
