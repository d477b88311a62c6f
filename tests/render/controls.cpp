#include "render/controls.h"

namespace varylink::test {
namespace {

const std::string kVert = R"(
layout(location = 0) in vec3 pos;
layout(location = 1) in vec4 a;
layout(location = 2) in vec4 b;
layout(location = 3) in ivec2 c;
layout(location = 0) out vec4 va;
layout(location = 1) out vec4 vb;
layout(location = 2) out flat ivec2 vc;
void main() {
  gl_Position = vec4(pos, 1);
  va = a;
  vb = b * 0.5;
  vc = c;
})";

const std::string kFrag = R"(
layout(location = 0) in vec4 va;
layout(location = 1) in vec4 vb;
layout(location = 2) in flat ivec2 vc;
layout(location = 0) out vec4 color;
layout(location = 1) out ivec4 number;
void main() {
  color = va + vb;
  number = ivec4(vc, 7, 8);
})";

const Sources kPlain = {{Stage::vertex, kVert}, {Stage::fragment, kFrag}};

// The fourth component of the position is an attribute, so that w varies where the strategy says so.
const Sources kPerspective = {{Stage::vertex, R"(
layout(location = 0) in vec4 pos;
layout(location = 1) in vec4 a;
layout(location = 0) out vec4 va;
void main() {
  gl_Position = pos;
  va = a;
})"},
                              {Stage::fragment, R"(
layout(location = 0) in vec4 va;
layout(location = 0) out vec4 color;
void main() { color = va; })"}};

const Sources kCentroid = {{Stage::vertex, kPerspective[0].second}, {Stage::fragment, R"(
layout(location = 0) in centroid vec4 va;
layout(location = 0) out vec4 color;
void main() { color = va; })"}};

const Sources kStorage = {{Stage::vertex, kPerspective[0].second}, {Stage::fragment, R"(
layout(location = 0) in vec4 va;
layout(location = 0) out vec4 color;
layout(set = 0, binding = 3) buffer Log { uint count; float values[]; } log_;
layout(set = 1, binding = 0, rgba32f) uniform image2D image;
void main() {
  color = va;
  ivec2 at = ivec2(gl_FragCoord.xy);
  log_.values[at.x & 15] = float(at.x & 15) + 0.5;
  imageStore(image, at, vec4(at, 1, 2));
})"}};

const Sources kFeedback = {{Stage::vertex, R"(
layout(xfb_buffer = 1, xfb_stride = 32) out;
layout(location = 0) in vec4 pos;
layout(location = 1) in vec4 a;
layout(location = 0, xfb_buffer = 1, xfb_offset = 16) out vec4 va;
void main() {
  gl_Position = pos;
  va = a;
})"},
                           {Stage::fragment, R"(
layout(location = 0) out vec4 color;
void main() { color = gl_FragCoord; })"}};

const Sources kResources = {{Stage::vertex, R"(
layout(location = 0) in vec3 pos;
layout(location = 1) in vec2 uv;
layout(push_constant) uniform Push { vec4 tint; int which; } push;
layout(constant_id = 4) const float kScale = 2.0;
layout(set = 0, binding = 0) uniform Camera { mat4 view; mat4 proj; vec4 weights[4]; } camera;
layout(location = 0) out vec2 v_uv;
layout(location = 1) out vec4 v_tint;
void main() {
  gl_Position = camera.proj * camera.view * vec4(pos, 1);
  v_uv = uv * kScale;
  v_tint = push.tint * camera.weights[push.which & 3];
})"},
                            {Stage::fragment, R"(
layout(location = 0) in vec2 v_uv;
layout(location = 1) in vec4 v_tint;
layout(set = 0, binding = 1) uniform sampler2D base;
layout(set = 0, binding = 2) uniform texture2DArray layers;
layout(set = 0, binding = 3) uniform sampler plain;
layout(set = 0, binding = 4) uniform samplerCube cube;
layout(set = 0, binding = 5) uniform sampler2DShadow shadow;
layout(set = 0, binding = 6) uniform usamplerBuffer words;
layout(set = 0, binding = 7) uniform sampler3D volume;
layout(location = 0) out vec4 color;
layout(location = 1) out uvec4 number;
void main() {
  color = texture(base, v_uv) * v_tint + texture(sampler2DArray(layers, plain), vec3(v_uv, 1));
  color += texture(cube, vec3(v_uv, 0.5)) + texture(volume, vec3(v_uv, 0.25)) + texture(shadow, vec3(v_uv, 0.5));
  number = texelFetch(words, int(gl_FragCoord.x) & 7);
})"}};

const Sources kDepth = {{Stage::vertex, kPerspective[0].second}, {Stage::fragment, R"(
layout(location = 0) in vec4 va;
layout(location = 0) out vec4 color;
void main() {
  if (va.x > 0.6) discard;
  color = vec4(va.y);
  gl_FragDepth = fract(va.z) * 0.5;
})"}};

const Sources kTessellation = {{Stage::vertex, R"(
layout(location = 0) in vec3 pos;
layout(location = 1) in vec4 a;
layout(location = 0) out vec4 va;
void main() {
  gl_Position = vec4(pos, 1);
  va = a;
})"},
                               {Stage::tess_control, R"(
layout(vertices = 3) out;
layout(location = 0) in vec4 va[];
layout(location = 0) out vec4 ta[];
layout(location = 1) patch out float bias;
void main() {
  gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position;
  ta[gl_InvocationID] = va[gl_InvocationID];
  bias = va[0].x;
  gl_TessLevelOuter[0] = gl_TessLevelOuter[1] = gl_TessLevelOuter[2] = 2.0;
  gl_TessLevelInner[0] = 3.0;
})"},
                               {Stage::tess_eval, R"(
layout(triangles) in;
layout(location = 0) in vec4 ta[];
layout(location = 1) patch in float bias;
layout(location = 0) out vec4 ea;
void main() {
  vec3 t = gl_TessCoord;
  gl_Position = t.x * gl_in[0].gl_Position + t.y * gl_in[1].gl_Position + t.z * gl_in[2].gl_Position;
  ea = t.x * ta[0] + t.y * ta[1] + t.z * ta[2] + bias + t.x * t.y;
})"},
                               {Stage::fragment, R"(
layout(location = 0) in vec4 ea;
layout(location = 0) out vec4 color;
void main() { color = ea; })"}};

const Sources kGeometry = {{Stage::vertex, kTessellation[0].second},
                           {Stage::geometry, R"(
layout(triangles) in;
layout(triangle_strip, max_vertices = 3) out;
layout(location = 0) in vec4 va[];
layout(location = 0) out vec4 ga;
layout(location = 1) out flat int id;
void main() {
  for (int i = 0; i < 3; ++i) {
    gl_Position = gl_in[i].gl_Position;
    gl_Layer = gl_PrimitiveIDIn & 1;
    ga = va[i];
    id = gl_PrimitiveIDIn;
    EmitVertex();
  }
  EndPrimitive();
})"},
                           {Stage::fragment, R"(
layout(location = 0) in vec4 ga;
layout(location = 1) in flat int id;
layout(location = 0) out vec4 color;
void main() { color = ga + float(id); })"}};

const Sources kBlockArray = {{Stage::vertex, R"(
layout(location = 0) in vec4 pos;
layout(location = 1) in vec4 a;
layout(location = 0) out Block { flat vec4 value; } blocks[2];
void main() {
  gl_Position = pos;
  blocks[0].value = a;
  blocks[1].value = a.wzyx;
})"},
                             {Stage::fragment, R"(
layout(location = 0) in Block { flat vec4 value; } blocks[2];
layout(location = 0) out vec4 color;
void main() { color = blocks[0].value + 2.0 * blocks[1].value; })"}};

const Sources kPoints = {{Stage::vertex, R"(
layout(location = 0) in vec3 pos;
layout(location = 1) in float a;
layout(location = 0) out float va;
void main() {
  gl_Position = vec4(pos, 1);
  gl_PointSize = 5.0;
  va = a;
})"},
                         {Stage::fragment, R"(
layout(location = 0) in float va;
layout(location = 0) out vec4 color;
void main() { color = vec4(va); })"}};

// Drawn with 32 bits on devices without 16-bit interfaces.
const Sources kHalves = {{Stage::vertex, R"(
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(location = 0) in vec4 pos;
layout(location = 1) in f16vec4 a;
layout(location = 2) in ivec4 c;
layout(location = 0) out f16vec3 va;
layout(location = 1) out Block { f16vec2 pair[2]; flat i16vec2 number; } block;
void main() {
  gl_Position = pos;
  va = a.xyz;
  block.pair = f16vec2[2](a.zw, a.xy * float16_t(0.5));
  block.number = i16vec2(c.xy);
})"},
                         {Stage::fragment, R"(
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(location = 0) in f16vec3 va;
layout(location = 1) in Block { f16vec2 pair[2]; flat i16vec2 number; } block;
layout(location = 0) out f16vec4 color;
layout(location = 1) out ivec4 number;
void main() {
  color = f16vec4(va, 1) + f16vec4(block.pair[0], block.pair[1]);
  number = ivec4(block.number, 0, 1);
})"}};

}  // namespace

const Sources kSum = {{Stage::vertex, R"(
layout(location = 0) in vec4 pos;
layout(location = 1) in vec4 a;
layout(location = 2) in vec4 b;
layout(location = 0) out vec4 va;
layout(location = 1) out vec4 vb;
void main() {
  gl_Position = pos;
  va = a;
  vb = b;
})"},
                      {Stage::fragment, R"(
layout(location = 0) in vec4 va;
layout(location = 1) in vec4 vb;
layout(location = 0) out vec4 color;
void main() { color = va + vb; })"}};

std::vector<Control> negative_controls() {
  return {
      {"swapped components", kPlain, Stage::fragment, "va + vb", "va.yxzw + vb"},
      {"a lost varying", kPlain, Stage::vertex, "vb = b * 0.5;", "vb = vec4(0);"},
      {"a wrong constant", kPlain, Stage::vertex, "b * 0.5", "b * 0.51"},
      {"one component of many", kPlain, Stage::vertex, "va = a;", "va = vec4(a.xyz, a.w + 0.03);"},
      {"a wrong flat integer", kPlain, Stage::vertex, "vc = c;", "vc = c + ivec2(0, 1);"},
      {"a second render target", kPlain, Stage::fragment, "7, 8", "7, 9"},
      {"a moved position", kPlain, Stage::vertex, "vec4(pos, 1)", "vec4(pos.xy + 0.05, pos.z, 1)"},
      {"a wrong depth position", kPlain, Stage::vertex, "vec4(pos, 1)", "vec4(pos.xy, pos.z * 0.9, 1)"},
      {"flat instead of smooth", kPerspective, Stage::fragment, "in vec4 va", "in flat vec4 va"},
      {"noperspective instead of smooth", kPerspective, Stage::fragment, "in vec4 va", "in noperspective vec4 va"},
      {"smooth instead of flat in an array of blocks", kBlockArray, Stage::fragment, "{ flat vec4 value",
       "{ vec4 value"},
      {"centroid lost", kCentroid, Stage::fragment, "in centroid vec4 va", "in vec4 va"},
      {"sample instead of centroid", kCentroid, Stage::fragment, "in centroid vec4 va", "in sample vec4 va"},
      {"a wrong value in a storage buffer", kStorage, Stage::fragment, "+ 0.5;", "+ 0.75;"},
      {"a missing write to a storage buffer", kStorage, Stage::fragment, "log_.values[at.x & 15]",
       "log_.values[at.x & 7]"},
      {"a wrong value in a storage image", kStorage, Stage::fragment, "vec4(at, 1, 2)", "vec4(at, 1, 3)"},
      {"wrong transform feedback", kFeedback, Stage::vertex, "va = a;", "va = a.wzyx;"},
      {"transform feedback off by a bit", kFeedback, Stage::vertex, "va = a;",
       "va = uintBitsToFloat(floatBitsToUint(a) ^ 1u);"},
      {"transform feedback at another offset", kFeedback, Stage::vertex, "xfb_offset = 16", "xfb_offset = 0"},
      {"a wrong texture coordinate", kResources, Stage::fragment, "texture(base, v_uv)", "texture(base, v_uv.yx)"},
      {"a wrong layer", kResources, Stage::fragment, "vec3(v_uv, 1))", "vec3(v_uv, 2))"},
      {"a wrong cube direction", kResources, Stage::fragment, "vec3(v_uv, 0.5)) + tex", "vec3(0.5, v_uv)) + tex"},
      {"a wrong depth reference", kResources, Stage::fragment, "shadow, vec3(v_uv, 0.5)", "shadow, vec3(v_uv, 0.1)"},
      {"a wrong texel", kResources, Stage::fragment, "int(gl_FragCoord.x) & 7", "(int(gl_FragCoord.x) + 1) & 7"},
      {"a wrong push constant", kResources, Stage::vertex, "push.tint *", "push.tint.yxzw *"},
      {"a wrong uniform element", kResources, Stage::vertex, "push.which & 3", "(push.which + 1) & 3"},
      {"a frozen specialization constant", kResources, Stage::vertex,
       "layout(constant_id = 4) const float kScale = 2.0;", "const float kScale = 2.0;"},
      {"a wrong discard", kDepth, Stage::fragment, "va.x > 0.6", "va.x > 0.3"},
      {"a wrong fragment depth", kDepth, Stage::fragment, "* 0.5", "* 0.6"},
      {"a wrong tessellation output", kTessellation, Stage::tess_control, "va[gl_InvocationID];", "va[0];"},
      {"a wrong patch output", kTessellation, Stage::tess_control, "va[0].x", "va[0].y"},
      {"a wrong tessellation level", kTessellation, Stage::tess_control, "= 3.0", "= 1.0"},
      {"a wrong evaluation", kTessellation, Stage::tess_eval, "+ bias", "- bias"},
      {"a wrong geometry output", kGeometry, Stage::geometry, "ga = va[i];", "ga = va[0];"},
      {"a wrong layer of the target", kGeometry, Stage::geometry, "gl_PrimitiveIDIn & 1;", "gl_PrimitiveIDIn & 3;"},
      {"a wrong half", kHalves, Stage::vertex, "float16_t(0.5)", "float16_t(0.625)"},
      {"a wrong short", kHalves, Stage::vertex, "c.xy", "c.yx"},
      {"a wrong point size", kPoints, Stage::vertex, "5.0", "4.0"},
  };
}

}  // namespace varylink::test
