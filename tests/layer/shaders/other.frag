#version 450
layout(location = 1) in vec4 tint;
layout(location = 4) in vec3 unread;
layout(location = 0) out vec4 result;
void main() { result = vec4(unread.xy * tint.ga, unread.z, 1.0); }
