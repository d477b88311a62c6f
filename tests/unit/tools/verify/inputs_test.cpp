// What the oracle makes up: values, layouts, and the aim of the triangles.
#include <cmath>
#include <cstring>

#include "spirv/tools/binary.h"
#include "support/catch.h"
#include "support/shader.h"
#include "verify/position_slice.h"
#include "verify/shader.h"
#include "verify/values.h"

namespace varylink::verify {
namespace {

Shader shader_of(Stage stage, const std::string& glsl) {
  Result<Shader> shader = reflect_shader({stage, "test", spirv::write_module(test::module_from_glsl(stage, glsl)), ""});
  REQUIRE(shader);
  return std::move(*shader);
}

Needs needs_with_position() {
  Needs needs;
  needs.stages = {Stage::vertex, Stage::fragment};
  needs.attributes = {{0, {}, 4, true, 0, VK_FORMAT_R32G32B32A32_SFLOAT},
                      {1, {}, 4, false, 16, VK_FORMAT_R32G32B32A32_SFLOAT}};
  needs.vertex_stride = 32;
  return needs;
}

std::vector<float> floats_of(const std::vector<std::byte>& bytes) {
  std::vector<float> result(bytes.size() / 4);
  std::memcpy(result.data(), bytes.data(), bytes.size());
  return result;
}

}  // namespace

TEST_CASE("half_bits: normal, denormal, rounding and out of range", "[verify]") {
  CHECK(half_bits(0.0f) == 0x0000);
  CHECK(half_bits(-0.0f) == 0x8000);
  CHECK(half_bits(1.0f) == 0x3c00);
  CHECK(half_bits(-2.5f) == 0xc100);
  CHECK(half_bits(65504.0f) == 0x7bff);
  CHECK(half_bits(65536.0f) == 0x7c00);
  CHECK(half_bits(0x1p-24f) == 0x0001);
  CHECK(half_bits(0x1p-14f) == 0x0400);
  CHECK(half_bits(1.0f + 0x1p-11f) == 0x3c00);  // halfway: to even
  CHECK(half_bits(1.0f + 0x1.8p-10f) == 0x3c02);
  CHECK((half_bits(NAN) & 0x7fff) > 0x7c00);
}

TEST_CASE("vertex_bytes: the grid stays inside the clip volume with w == 1", "[verify]") {
  const Needs needs = needs_with_position();
  const Strategy grid = strategies_for(needs, 4).front();
  const std::vector<float> values = floats_of(vertex_bytes(needs, grid, 7));
  REQUIRE(values.size() == vertex_count(needs, grid) * 8u);
  for (std::size_t vertex = 0; vertex < values.size(); vertex += 8) {
    CHECK(std::fabs(values[vertex]) <= 1.0f);
    CHECK(std::fabs(values[vertex + 1]) <= 1.0f);
    CHECK(values[vertex + 2] >= 0.0f);
    CHECK(values[vertex + 2] <= 1.0f);
    CHECK(values[vertex + 3] == 1.0f);
  }
  CHECK(values[4] != values[12]);  // other attributes differ between vertices
}

TEST_CASE("vertex_bytes: a pure function of seed and strategy", "[verify]") {
  const Needs needs = needs_with_position();
  const std::vector<Strategy> list = strategies_for(needs, 4);
  CHECK(vertex_bytes(needs, list[0], 1) == vertex_bytes(needs, list[0], 1));
  CHECK(vertex_bytes(needs, list[0], 1) != vertex_bytes(needs, list[0], 2));
  CHECK(vertex_bytes(needs, list[0], 1) != vertex_bytes(needs, list[1], 1));
  // An attribute more must not change the values of the others.
  Needs more = needs;
  more.attributes.push_back({5, {}, 4, false, 32, VK_FORMAT_R32G32B32A32_SFLOAT});
  more.vertex_stride = 48;
  CHECK(floats_of(vertex_bytes(more, list[0], 1))[12] == floats_of(vertex_bytes(needs, list[0], 1))[8]);
}

TEST_CASE("fill_block: matrices are near the identity, other floats positive, padding zero", "[verify]") {
  const Shader shader = shader_of(Stage::vertex, R"(
layout(set = 2, binding = 3) uniform Block { float a; mat4 m; layout(row_major) mat3x2 n; ivec3 i; } block;
void main() { gl_Position = block.m * vec4(block.a, block.n * vec3(block.i), 1); })");
  REQUIRE(shader.resources.size() == 1);
  const Resource& resource = shader.resources[0];
  CHECK(resource.set == 2);
  CHECK(resource.binding == 3);
  CHECK(resource.kind == ResourceKind::uniform_buffer);
  REQUIRE(resource.block.size == 124);  // a at 0, m at 16, n at 80 (two rows of 16 bytes), i at 112
  std::vector<std::byte> bytes(resource.block.size);
  fill_block(resource.block, Strategy{}, 1, 0, bytes);
  const std::vector<float> values = floats_of(bytes);
  CHECK(values[0] >= 0.25f);
  CHECK(values[1] == 0.0f);  // padding
  for (int column = 0; column < 4; ++column)
    for (int row = 0; row < 4; ++row) CHECK(values[4 + column * 4 + row] == (column == row ? 1.0f : 0.0f));
  CHECK(values[20] == 1.0f);  // n, first row
  CHECK(values[21] == 0.0f);
  CHECK(values[25] == 1.0f);  // second row, second column
}

TEST_CASE("position_sources: what the position depends on, through calls, variables and stages", "[verify]") {
  std::vector<Shader> stages;
  stages.push_back(shader_of(Stage::vertex, R"(
layout(location = 0) in vec4 unused;
layout(location = 3) in vec3 base;
layout(location = 5) in vec2 shift;
layout(location = 6) in vec4 color;
layout(location = 0) out vec4 v;
vec4 place(vec3 p) { vec3 q = p; q.xy += shift; return vec4(q, 1); }
void main() { v = color; gl_Position = place(base); })"));
  PositionSources sources = position_sources(stages);
  CHECK(sources.locations == std::set<std::uint32_t>{3, 5});
  CHECK_FALSE(sources.vertex_index);

  // A geometry stage that places its vertices by a varying.
  stages.push_back(shader_of(Stage::geometry, R"(
layout(points) in;
layout(points, max_vertices = 1) out;
layout(location = 0) in vec4 v[];
void main() { gl_Position = v[0]; EmitVertex(); })"));
  CHECK(position_sources(stages).locations == std::set<std::uint32_t>{6});
}

TEST_CASE("position_sources: tables indexed by the vertex number limit the draw", "[verify]") {
  const Shader shader = shader_of(Stage::vertex, R"(
void main() {
  vec2 table[3] = vec2[](vec2(-1), vec2(3, -1), vec2(-1, 3));
  gl_Position = vec4(table[gl_VertexIndex], 0, 1);
})");
  CHECK(position_sources({shader}).vertex_index);
  CHECK(smallest_indexed_array(shader) == 3);
  Needs needs;
  needs.stages = {Stage::vertex};
  needs.position_needs_index = true;
  needs.vertex_limit = 3;
  CHECK(vertex_count(needs, Strategy{}) == 3);
}

TEST_CASE("reflect_shader: resources that are declared and not used need not exist", "[verify]") {
  const Shader shader = shader_of(Stage::fragment, R"(
layout(set = 0, binding = 0) uniform sampler2DShadow shadow;
layout(set = 0, binding = 1) uniform sampler2D unused;
layout(set = 0, binding = 2, r32ui) uniform uimageBuffer words;
layout(set = 1, binding = 0) buffer Log { vec4 first; vec2 rest[]; } log_[2];
layout(location = 0) in centroid vec3 at;
layout(location = 0) out vec4 color;
void main() {
  color = vec4(texture(shadow, at));
  imageStore(words, 3, uvec4(1));
  log_[1].rest[2] = at.xy;
  if (at.x < 0.5) discard;
})");
  REQUIRE(shader.resources.size() == 3);
  CHECK(shader.resources[0].kind == ResourceKind::combined_image_sampler);
  CHECK(shader.resources[0].texture.compare);
  CHECK(shader.resources[1].kind == ResourceKind::storage_texel_buffer);
  CHECK(shader.resources[2].kind == ResourceKind::storage_buffer);
  CHECK(shader.resources[2].count == 2);
  CHECK(shader.resources[2].block.size == 16 + kRuntimeElements * 8);
  CHECK(shader.has_discontinuities);
  CHECK(shader.samples_differ);
  CHECK(shader.uses_inputs);
}

TEST_CASE("other_value: specialization constants change but stay harmless", "[verify]") {
  CHECK(other_value({0, {varyings::ScalarKind::boolean, 32}, 1}) == 0);
  CHECK(other_value({0, {varyings::ScalarKind::boolean, 32}, 0}) == 1);
  CHECK(other_value({0, {varyings::ScalarKind::uint, 32}, 0}) == 1);
  CHECK(other_value({0, {varyings::ScalarKind::sint, 32}, 4}) == 3);
  CHECK(other_value({0, {varyings::ScalarKind::floating, 32}, 0x3f800000}) == 0x3f900000);
  CHECK(other_value({1, {varyings::ScalarKind::floating, 32}, 0x3f800000}) == 0x3f940000);
}

TEST_CASE("other_value: stages that meet get different values", "[verify]") {
  const auto constant = GENERATE(SpecConstant{0, {varyings::ScalarKind::boolean, 32}, 1},
                                 SpecConstant{1, {varyings::ScalarKind::uint, 32}, 0},
                                 SpecConstant{2, {varyings::ScalarKind::sint, 32}, 4},
                                 SpecConstant{3, {varyings::ScalarKind::floating, 32}, 0x3f800000},
                                 SpecConstant{3, {varyings::ScalarKind::floating, 16}, 0x3c00},
                                 SpecConstant{3, {varyings::ScalarKind::floating, 64}, 0});
  for (std::uint32_t stage = 0; stage < 4; ++stage)
    CHECK(other_value(constant, stage) != other_value(constant, stage + 1));
}

TEST_CASE("strategies: stages get constants of their own unless they share them", "[verify]") {
  Needs needs;
  needs.spec_constants_free = true;
  const auto values = [&] {
    std::multiset<SpecValues> used;
    for (const Strategy& strategy : strategies_for(needs, 6)) used.insert(strategy.spec_values);
    return used;
  };
  CHECK(values().count(SpecValues::others) == 1);
  CHECK(values().count(SpecValues::by_stage) == 1);
  needs.shared_spec_constants = true;
  CHECK(values().count(SpecValues::others) == 1);
  CHECK(values().count(SpecValues::by_stage) == 0);
}

}  // namespace varylink::verify
