#include "spirv/tools/specialize.h"

#include "spirv/tools/binary.h"
#include "spirv/tools/tools.h"
#include "support/catch.h"
#include "support/shader.h"

namespace varylink::spirv {
namespace {

constexpr const char* kShader = R"(
layout(constant_id = 1) const float f = 1.0;
layout(constant_id = 2) const int i = 1;
layout(constant_id = 3) const uint u = 1;
layout(constant_id = 4) const bool b = true;
layout(constant_id = 5) const double d = 1.0;
void main() { gl_Position = vec4(f, i, u, b ? float(d) : 0.0); }
)";

std::string specialized(std::uint32_t id, const std::string& value) {
  Module module = test::module_from_glsl(Stage::vertex, kShader);
  const Result<void> done = specialize(module, {{id, value}}, "x.vert");
  return done ? disassemble(write_module(module)) : "error: " + render(done.error());
}

TEST_CASE("a given specialization constant is a constant of its type", "[specialize]") {
  const auto has = [](const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
  };
  CHECK(has(specialized(1, "-0.25"), "OpConstant %float -0.25"));
  CHECK(has(specialized(2, "-7"), "OpConstant %int -7"));
  CHECK(has(specialized(3, "0xffffffff"), "OpConstant %uint 4294967295"));
  CHECK(has(specialized(4, "false"), "OpConstantFalse"));
  CHECK(has(specialized(4, "0"), "OpConstantFalse"));
  CHECK(has(specialized(4, "1"), "OpConstantTrue"));
  CHECK(has(specialized(5, "0.1"), "OpConstant %double 0.1"));
  CHECK_FALSE(has(specialized(1, "2"), "SpecId 1"));
  CHECK(has(specialized(1, "2"), "SpecId 2"));
  CHECK(specialized(6, "2") == disassemble(write_module(test::module_from_glsl(Stage::vertex, kShader))));
}

TEST_CASE("what is no value of the type is refused", "[specialize]") {
  for (const auto& [id, value] : std::vector<std::pair<std::uint32_t, std::string>>{{1, "x"},
                                                                                    {1, "1.0f"},
                                                                                    {1, ""},
                                                                                    {2, "2147483648"},
                                                                                    {2, "1.5"},
                                                                                    {3, "-1"},
                                                                                    {3, "4294967296"},
                                                                                    {4, "2"},
                                                                                    {5, "true"}}) {
    INFO(id << "=" << value);
    CHECK(specialized(id, value).find("error") == 0);
  }
}

TEST_CASE("the ids that a module has are told", "[specialize]") {
  CHECK(specialization_ids(test::module_from_glsl(Stage::vertex, kShader)) == std::set<std::uint32_t>{1, 2, 3, 4, 5});
}

TEST_CASE("ID=VALUE", "[specialize]") {
  CHECK(parse_specialization("7=0.5") == std::pair<std::uint32_t, std::string>(7, "0.5"));
  for (const char* bad : {"", "7", "7=", "=5", "x=5", "-1=5", "7 =5"}) CHECK_FALSE(parse_specialization(bad));
}

}  // namespace
}  // namespace varylink::spirv
