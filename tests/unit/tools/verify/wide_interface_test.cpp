// Interfaces of 16 bits as they are drawn where the device has none.
#include "verify/wide_interface.h"

#include "spirv/tools/binary.h"
#include "spirv/tools/tools.h"
#include "support/catch.h"
#include "support/shader.h"
#include "varyings/reflect/interface_variable.h"

namespace varylink::verify {
namespace {

const std::string kStart = R"(#version 450
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
)";

spirv::Module widened(Stage stage, const spirv::Module& narrow) {
  const Result<std::vector<link::StageInput>> wide =
      with_wide_interfaces({{stage, "test", spirv::write_module(narrow), ""}});
  REQUIRE(wide);
  CHECK(spirv::validate(wide->front().words, {}, "test"));
  Result<spirv::Module> module = spirv::read_module(wide->front().words, "test");
  REQUIRE(module);
  return std::move(*module);
}

spirv::Module widened(Stage stage, const std::string& glsl) {
  return widened(stage, test::module_from_glsl(stage, kStart + glsl));
}

bool has_narrow_interface(const spirv::Module& module) {
  return module.has_capability(spv::Capability::StorageInputOutput16);
}

}  // namespace

TEST_CASE("wide interface: vectors, arrays in blocks and integers", "[verify]") {
  const spirv::Module module = widened(Stage::fragment, R"(
layout(location = 0) in f16vec3 a;
layout(location = 1) in Block { f16vec2 pair[2]; flat i16vec2 number; flat uint16_t one; } b;
layout(location = 0) out f16vec4 o;
void main() {
  f16vec2 all[2] = b.pair;
  o = f16vec4(a, b.pair[1].x) + f16vec4(all[0], f16vec2(b.number));
  o[b.one & 3us] = float16_t(1);
})");
  CHECK_FALSE(has_narrow_interface(module));
  const Result<varyings::Entry> entry = varyings::find_entry(module, Stage::fragment, "", "test");
  REQUIRE(entry);
  for (const auto direction : {varyings::Direction::input, varyings::Direction::output})
    for (const auto& variable : varyings::interface_variables(module, *entry, direction))
      for (const varyings::Leaf& leaf : variable.leaves) CHECK(leaf.scalar.width == 32);
}

TEST_CASE("wide interface: numbers that are only converted", "[verify]") {
  CHECK_FALSE(has_narrow_interface(widened(Stage::vertex, R"(
layout(location = 0) in vec4 p;
layout(location = 0) flat out f16vec4 a;
void main() { gl_Position = p; a = f16vec4(p); })")));
}

TEST_CASE("wide interface: initial values are stores", "[verify]") {
  CHECK_FALSE(has_narrow_interface(widened(Stage::vertex, test::module_from_assembly(R"(
               OpCapability Shader
               OpCapability StorageInputOutput16
               OpExtension "SPV_KHR_16bit_storage"
               OpMemoryModel Logical GLSL450
               OpEntryPoint Vertex %main "main" %a
               OpDecorate %a Location 0
       %void = OpTypeVoid
         %fn = OpTypeFunction %void
       %half = OpTypeFloat 16
     %v2half = OpTypeVector %half 2
        %ptr = OpTypePointer Output %v2half
    %initial = OpConstantNull %v2half
          %a = OpVariable %ptr Output %initial
       %main = OpFunction %void None %fn
      %entry = OpLabel
               OpReturn
               OpFunctionEnd)"))));
}

TEST_CASE("wide interface: what is interpolated by an instruction", "[verify]") {
  CHECK_FALSE(has_narrow_interface(widened(Stage::fragment, R"(
layout(location = 0) in f16vec2 a;
layout(location = 0) out vec4 o;
void main() { o = vec4(vec2(interpolateAtCentroid(a)), 0, 1); })")));
}

TEST_CASE("wide interface: captured data stays", "[verify]") {
  CHECK(has_narrow_interface(widened(Stage::vertex, R"(
layout(location = 0) in vec4 p;
layout(location = 0, xfb_buffer = 0, xfb_offset = 0) out f16vec4 a;
void main() { gl_Position = p; a = f16vec4(p); })")));
}

}  // namespace varylink::verify
