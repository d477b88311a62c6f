// What the oracle changes in modules before it draws with them.
#include "verify/normalized_shader.h"

#include "spirv/tools/binary.h"
#include "support/catch.h"
#include "support/shader.h"
#include "varyings/reflect/decoration_index.h"

namespace varylink::verify {
namespace {

Result<Shader> reflected(const std::string& glsl) {
  Result<Shader> shader =
      reflect_shader({Stage::fragment, "test", spirv::write_module(test::module_from_glsl(Stage::fragment, glsl)), ""});
  REQUIRE(shader);
  return shader;
}

spirv::Module read(const std::vector<std::uint32_t>& words) {
  Result<spirv::Module> module = spirv::read_module(words, "test");
  REQUIRE(module);
  return std::move(*module);
}

template <typename Visit>
void for_each_instruction(const spirv::Module& module, const Visit& visit) {
  for (const spirv::Function& function : module.functions)
    for (const spirv::Block& block : function.blocks)
      for (const spirv::InstRef inst : block.body) visit(module[inst]);
}

// Multiplications of the form with nudged inputs beyond those of the form without.
std::size_t nudges_in(const std::string& glsl) {
  const Result<Shader> shader = reflected(glsl);
  const auto products = [](const std::vector<std::uint32_t>& words) {
    std::size_t count = 0;
    for_each_instruction(read(words), [&](const spirv::Inst& inst) {
      if (inst.op == spv::Op::OpFMul || inst.op == spv::Op::OpVectorTimesScalar) ++count;
    });
    return count;
  };
  return products(nudged_form(*shader, false)) - products(normalized_shader(*shader));
}

}  // namespace

TEST_CASE("nudged_form: interpolated members of a block whose first member is flat", "[verify]") {
  CHECK(nudges_in(R"(#version 450
in Block { layout(location = 0) flat vec4 f; layout(location = 1) vec2 uv; layout(location = 2) float a[2]; } b;
layout(location = 0) out vec4 o;
void main() { o = b.f + vec4(b.uv, b.a[0], b.a[1]); })") == 3);
}

TEST_CASE("nudged_form: no flat inputs", "[verify]") {
  CHECK(nudges_in(R"(#version 450
layout(location = 0) flat in vec4 f;
layout(location = 1) in vec4 v;
layout(location = 0) out vec4 o;
void main() { o = f + v; })") == 1);
}

TEST_CASE("normalized_shader: a double that is rounded to float and read as double again is rounded", "[verify]") {
  const Result<Shader> shader = reflected(R"(#version 460
layout(location = 0) flat in vec2 v;
layout(location = 0) out float o;
void main() { o = float(double(float(double(v.x) + 0.25lf)) - double(v.y)); })");
  const spirv::Module drawn = read(normalized_shader(*shader));
  const varyings::DecorationIndex decorations(drawn);
  std::size_t conversions = 0;
  for_each_instruction(drawn, [&](const spirv::Inst& inst) {
    if (inst.op != spv::Op::OpFConvert) return;
    ++conversions;
    CHECK(decorations.of(inst.result).has(spv::Decoration::NoContraction));
  });
  CHECK(conversions == 5);
}

TEST_CASE("normalized_shader: products are sums, whose order no driver chooses", "[verify]") {
  const Result<Shader> shader = reflected(R"(#version 450
layout(location = 0) in vec4 v;
layout(binding = 0) uniform U { mat4 m; };
layout(location = 0) out vec4 o;
void main() { o = m * v + v * m + dot(v.xyz, v.yzw); })");
  std::size_t sums = 0;
  for_each_instruction(read(normalized_shader(*shader)), [&](const spirv::Inst& inst) {
    CHECK((inst.op != spv::Op::OpDot && inst.op != spv::Op::OpMatrixTimesVector &&
           inst.op != spv::Op::OpVectorTimesMatrix));
    if (inst.op == spv::Op::OpFAdd) ++sums;
  });
  CHECK(sums == 2 + 3 + 4 * 3 + 2);  // of the shader, of columns, of four dot products, of one
}

}  // namespace varylink::verify
