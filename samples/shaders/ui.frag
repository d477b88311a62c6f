#version 450

layout(set = 0, binding = 0) uniform sampler2D atlas;

in vec2 texcoord;
in float opacity;
in vec4 tint;

layout(location = 0) out vec4 target;

void main() { target = tint * texture(atlas, texcoord) * opacity; }
