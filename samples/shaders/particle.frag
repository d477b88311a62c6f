#version 450

layout(set = 2, binding = 0) uniform sampler2DArray flip_book;
layout(set = 2, binding = 1) uniform sampler2D mask;
layout(set = 2, binding = 2) uniform sampler2D scene_depth;

layout(location = 0) in vec2 uv;
layout(location = 1) in vec2 mask_uv;
layout(location = 2) in vec4 color;
layout(location = 3) flat in uint frame;
layout(location = 4) flat in uint texture_index;
layout(location = 5) flat in uint flags;
layout(location = 6) in float view_depth;
layout(location = 7) in float softness;

layout(location = 0) out vec4 target;

void main() {
  float behind = texelFetch(scene_depth, ivec2(gl_FragCoord.xy), 0).r;
  float fade = clamp((behind - view_depth) / softness, 0.0, 1.0);
  vec4 texel = texture(flip_book, vec3(uv, float(frame)));
  target = color * texel * texture(mask, mask_uv).r * fade;
}
