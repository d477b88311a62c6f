// Controls of the oracle itself: a wrong pipeline must be reported, a right one must not, and an equal blank proves
// nothing.
#include "render/controls.h"

#include <algorithm>

#include "render/render_support.h"
#include "spirv/tools/binary.h"
#include "spirv/tools/specialize.h"
#include "support/catch.h"
#include "verify/block_array_qualifiers.h"
#include "verify/mesh_array_gaps.h"

namespace varylink::test {
namespace {

using verify::Verdict;

verify::Comparison compare(const Sources& original, const Sources& linked, link::Level level) {
  verify::VerifyOptions options;
  options.level = level;
  return renderer()->compare(compile(original), compile(linked), options);
}

}  // namespace

TEST_CASE("render: a pipeline is identical to itself", "[render]") {
  if (renderer() == nullptr) return;
  for (const Control& control : negative_controls()) {
    INFO(control.name);
    const verify::Comparison result = compare(control.original, control.original, link::Level::check);
    INFO(result.text());
    CHECK(result.verdict == Verdict::identical);
  }
}

TEST_CASE("render: every kind of wrong pipeline is reported as different", "[render]") {
  if (renderer() == nullptr) return;
  for (const Control& control : negative_controls()) {
    INFO(control.name);
    const Sources wrong = with_edit(control.original, control.stage, control.from, control.to);
    for (const link::Level level : {link::Level::exact, link::Level::motion}) {
      const verify::Comparison result = compare(control.original, wrong, level);
      INFO(result.text());
      CHECK(result.verdict == Verdict::different);
    }
  }
}

namespace {

const Sources kConstantVarying = {{Stage::vertex, R"(
layout(location = 0) in vec4 pos;
layout(location = 1) in float a;
layout(location = 0) out vec2 v;
void main() {
  gl_Position = pos;
  v = vec2(a, 0.1);
})"},
                                  {Stage::fragment, R"(
layout(location = 0) in vec2 v;
layout(location = 0) out vec4 color;
void main() { color = vec4(v.x, v.y, 0, 1); })"}};

const Sources kSumInVertexStage = {{Stage::vertex, R"(
layout(location = 0) in vec4 pos;
layout(location = 1) in vec4 a;
layout(location = 2) in vec4 b;
layout(location = 0) out vec4 va;
void main() {
  gl_Position = pos;
  va = a + b;
})"},
                                   {Stage::fragment, R"(
layout(location = 0) in vec4 va;
layout(location = 0) out vec4 color;
void main() { color = va; })"}};

}  // namespace

TEST_CASE("render: a constant instead of its interpolation is within the tolerance of -O1", "[render]") {
  if (renderer() == nullptr) return;
  const Sources constant = with_edit(kConstantVarying, Stage::fragment, "v.y", "0.1");
  const verify::Comparison result = compare(kConstantVarying, constant, link::Level::exact);
  INFO(result.text());
  CHECK(result.verdict == Verdict::within_tolerance);
  // Where w is 1 and nothing is clipped, every bit is equal.
  REQUIRE_FALSE(result.runs.empty());
  CHECK(result.runs.front().strategy == "grid");
  CHECK(result.runs.front().verdict == Verdict::identical);
}

TEST_CASE("render: a sum moved across the interpolation is within -O2 and beyond -O1", "[render]") {
  if (renderer() == nullptr) return;
  const verify::Comparison motion = compare(kSum, kSumInVertexStage, link::Level::motion);
  INFO(motion.text());
  CHECK(motion.verdict == Verdict::within_tolerance);
  const verify::Comparison exact = compare(kSum, kSumInVertexStage, link::Level::exact);
  INFO(exact.text());
  CHECK(exact.verdict == Verdict::different);
  REQUIRE_FALSE(exact.runs.empty());
  CHECK(exact.runs.back().affine == std::optional<bool>(true));
}

TEST_CASE("render: pixels at discontinuities are counted apart and only few are excused", "[render]") {
  if (renderer() == nullptr) return;
  const Sources step = with_edit(kSum, Stage::fragment, "color = va + vb", "color = step(0.0, va + vb)");
  const Sources moved = with_edit(kSumInVertexStage, Stage::fragment, "color = va", "color = step(0.0, va)");
  const verify::Comparison few = compare(step, moved, link::Level::motion);
  INFO(few.text());
  CHECK(few.verdict != Verdict::different);
  const Sources shifted = with_edit(kSum, Stage::fragment, "color = va + vb", "color = step(0.02, va + vb)");
  const verify::Comparison many = compare(step, shifted, link::Level::motion);
  INFO(many.text());
  CHECK(many.verdict == Verdict::different);
}

TEST_CASE("render: an equal blank proves nothing", "[render]") {
  if (renderer() == nullptr) return;
  const Sources outside = with_edit(kSum, Stage::vertex, "gl_Position = pos", "gl_Position = vec4(5, 5, 5, 1)");
  CHECK(compare(outside, outside, link::Level::exact).verdict == Verdict::not_covered);
  const Sources constant = with_edit(kSum, Stage::fragment, "va + vb", "(va + vb) * 0.0");
  CHECK(compare(constant, constant, link::Level::exact).verdict == Verdict::not_covered);
}

TEST_CASE("render: a fragment stage without varyings is covered by depth", "[render]") {
  if (renderer() == nullptr) return;
  const Sources one_color = with_edit(kSum, Stage::fragment, "va + vb", "vec4(0.5)");
  CHECK(compare(one_color, one_color, link::Level::exact).verdict == Verdict::identical);
}

TEST_CASE("render: what is interpolated elsewhere is drawn with triangles only", "[render]") {
  if (renderer() == nullptr) return;
  const auto draws_lines = [](const Sources& sources) {
    const verify::Comparison result = compare(sources, sources, link::Level::exact);
    return std::any_of(result.runs.begin(), result.runs.end(), [](const auto& run) { return run.strategy == "lines"; });
  };
  CHECK(draws_lines(kSum));
  CHECK_FALSE(draws_lines(with_edit(kSum, Stage::fragment, "va + vb", "va + interpolateAtCentroid(vb)")));
}

TEST_CASE("render: NaN on both sides is equal, on one side it is not", "[render]") {
  if (renderer() == nullptr) return;
  const Sources nan = with_edit(kSum, Stage::fragment, "va + vb", "vec4(va.x, sqrt(min(va.y, -1.0)), 0, 1)");
  const verify::Comparison same = compare(nan, nan, link::Level::exact);
  CHECK(same.verdict == Verdict::identical);
  CHECK(same.runs.front().nan_pixels > 0);
  const Sources number = with_edit(kSum, Stage::fragment, "va + vb", "vec4(va.x, 0, 0, 1)");
  CHECK(compare(nan, number, link::Level::motion).verdict == Verdict::different);
}

TEST_CASE("render: outputs left unwritten on a path are not compared as garbage", "[render]") {
  if (renderer() == nullptr) return;
  const Sources partly = with_edit(kSum, Stage::fragment, "color = va + vb", "if (va.x > 0.0) color = va + vb");
  const Sources zero = with_edit(kSum, Stage::fragment, "color = va + vb", "color = va.x > 0.0 ? va + vb : vec4(0)");
  const verify::Comparison result = compare(partly, zero, link::Level::check);
  INFO(result.text());
  CHECK(result.verdict == Verdict::identical);
}

TEST_CASE("render: what cannot be drawn is not run, with a reason", "[render]") {
  if (renderer() == nullptr) return;
  const verify::Comparison stages = renderer()->compare(compile(kSum), {}, {});
  CHECK(stages.verdict == Verdict::not_run);
  CHECK_FALSE(stages.reason.empty());
  std::vector<link::StageInput> broken = compile(kSum);
  broken[0].words.resize(20);
  CHECK(renderer()->compare(broken, broken, {}).verdict == Verdict::not_run);
}

// A driver that compiles them nevertheless may draw anything or crash; that is no fault of a linked pipeline.
TEST_CASE("render: shaders that need a feature are drawn where the device has it", "[render]") {
  if (renderer() == nullptr) return;
  const std::string types = "#extension GL_EXT_shader_explicit_arithmetic_types : require\n";
  const Sources halves = {{Stage::vertex, types + R"(
layout(location = 0) in vec4 pos;
layout(location = 0) out float16_t v;
void main() { gl_Position = pos; v = float16_t(pos.x); })"},
                          {Stage::fragment, types + R"(
layout(location = 0) in float16_t v;
layout(location = 0) out vec4 color;
void main() { color = vec4(v); })"}};
  const Sources wrong = with_edit(halves, Stage::vertex, "float16_t(pos.x)", "float16_t(pos.y)");
  const verify::Comparison result = compare(halves, wrong, link::Level::check);
  INFO(result.text());
  if (result.verdict == Verdict::not_run)
    CHECK(result.reason.find("storageInputOutput16") != std::string::npos);
  else
    CHECK(result.verdict == Verdict::different);
}

namespace {

verify::Shader first_shader(const Sources& sources) {
  Result<verify::Shader> shader = verify::reflect_shader(compile(sources).front());
  REQUIRE(shader);
  return std::move(*shader);
}

Sources mesh_with(const std::string& stores) {
  return {{Stage::mesh, R"(
#extension GL_EXT_mesh_shader : require
layout(local_size_x = 3) in;
layout(triangles, max_vertices = 3, max_primitives = 1) out;
layout(location = 0) out vec4 rows[][3];
void main() {
  uint i = gl_LocalInvocationIndex;
  SetMeshOutputsEXT(3, 1);
)" + stores + "}"}};
}

}  // namespace

TEST_CASE("render: elements of mesh outputs that are stored nowhere are found", "[render]") {
  CHECK(verify::has_mesh_array_gaps(first_shader(mesh_with("rows[i][0] = rows[i][2] = vec4(1);"))));
  CHECK_FALSE(verify::has_mesh_array_gaps(first_shader(mesh_with("rows[i][gl_WorkGroupID.x] = vec4(1);"))));
  CHECK_FALSE(verify::has_mesh_array_gaps(first_shader(mesh_with("rows[i] = vec4[](vec4(1), vec4(2), vec4(3));"))));
  CHECK_FALSE(verify::has_mesh_array_gaps(first_shader(mesh_with(""))));
}

TEST_CASE("render: arrays of blocks with several interpolations are found", "[render]") {
  const auto reads = [](const std::string& members) {
    return first_shader({{Stage::fragment, "layout(location = 0) in Block {" + members + R"(} blocks[2];
layout(location = 0) out vec4 color;
void main() { color = blocks[0].a + blocks[1].b; })"}});
  };
  CHECK(verify::has_mixed_block_arrays(reads("flat vec4 a; vec4 b;")));
  CHECK_FALSE(verify::has_mixed_block_arrays(reads("noperspective vec4 a; noperspective vec4 b;")));
}

TEST_CASE("render: the same seed draws the same, another one something else", "[render]") {
  if (renderer() == nullptr) return;
  const Sources wrong = with_edit(kSum, Stage::fragment, "va + vb", "va - vb");
  verify::VerifyOptions options;
  const auto largest = [&](std::uint64_t seed) {
    options.seed = seed;
    return renderer()->compare(compile(kSum), compile(wrong), options).runs.front().largest_absolute;
  };
  CHECK(largest(1) == largest(1));
  CHECK(largest(1) != largest(2));
}

TEST_CASE("render: constants have the values that are given to the driver", "[render]") {
  if (renderer() == nullptr) return;
  const Sources open = {{Stage::vertex, R"(
layout(location = 0) in vec4 pos;
void main() { gl_Position = pos; })"},
                        {Stage::fragment, R"(
layout(constant_id = 3) const float level = 0.25;
layout(constant_id = 4) const bool bright = false;
layout(constant_id = 5) const int steps = -2;
layout(location = 0) out vec4 color;
void main() { color = vec4(level, bright ? 0.75 : 0.5, float(steps) * 0.125, 1); })"}};
  const std::vector<link::StageInput> before = compile(open);
  const spirv::SpecializationValues values = {{3, "0.625"}, {4, "true"}, {5, "-3"}};
  std::vector<link::StageInput> frozen = before;
  Result<spirv::Module> module = spirv::read_module(before[1].words, "");
  REQUIRE(module);
  REQUIRE(spirv::specialize(*module, values, ""));
  frozen[1].words = spirv::write_module(*module);
  std::vector<link::StageInput> original = frozen;
  original[1].unspecialized = before[1].words;
  original[1].specialization = values;
  CHECK(renderer()->compare(original, frozen, {}).verdict == Verdict::identical);
  for (const auto& [id, other] : spirv::SpecializationValues{{3, "0.5"}, {4, "false"}, {5, "3"}}) {
    original[1].specialization = values;
    original[1].specialization[id] = other;
    CHECK(renderer()->compare(original, frozen, {}).verdict == Verdict::different);
  }
}

}  // namespace varylink::test
