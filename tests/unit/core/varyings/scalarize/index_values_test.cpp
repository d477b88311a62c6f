#include "varyings/scalarize/index_values.h"

#include <array>

#include "spirv/cleanup/run_clean_up.h"
#include "support/catch.h"
#include "support/shader.h"
#include "varyings/reflect/pointer_access.h"

using namespace varylink;

namespace {

// `count` switches of ten cases in a row, each of which adds something to an index, and then does `more` with it.
std::string chain_of_switches(int count, const std::string& more = "") {
  std::string code = R"(
      layout(push_constant) uniform P { int a[200]; };
      layout(location = 0) in vec4 v[5];
      layout(location = 0) out vec4 o;
      void main() {
        int i = 0;)";
  for (int s = 0; s < count; ++s) {
    code += "switch (a[" + std::to_string(s) + "]) {\n";
    for (int k = 0; k < 10; ++k)
      code +=
          "case " + std::to_string(k) + ": i = (i + " + std::to_string(s == 0 ? k % 3 : k) + ")" + more + "; break;\n";
    code += "}\n";
  }
  return code + "o = v[i]; }";
}

struct Question {
  spirv::Module module;
  varyings::Entry entry;
  spirv::Id index = 0;
};

// The index of the only load from the input `v`.
Question question(const std::string& glsl) {
  Question result{test::module_from_glsl(Stage::fragment, glsl), {}, 0};
  spirv::run_clean_up(result.module, std::array{spirv::CleanUp::mem2reg}, {});
  const auto entry = varyings::find_entry(result.module, Stage::fragment, "", "test");
  REQUIRE(entry);
  result.entry = *entry;
  const spirv::Id input =
      varyings::interface_variables(result.module, result.entry, varyings::Direction::input).front().id;
  result.index =
      varyings::accesses_of(result.module, spirv::Uses(result.module), input).accesses.front().indices.front();
  return result;
}

}  // namespace

TEST_CASE("an index that many switches in a row decide takes a bounded number of steps", "[io]") {
  for (const int count : {2, 12, 200}) {
    const Question asked = question(chain_of_switches(count));
    varyings::IndexValues values(asked.module, asked.entry);
    CHECK(values.of(asked.index, 5) == std::vector<std::uint32_t>{0, 1, 2, 3, 4});
    CHECK(values.steps() < 2 * varyings::IndexValues::kMaxSteps);
  }
}

TEST_CASE("an index that many switches keep small is read once for each of them, not for each way", "[io]") {
  const Question asked = question(chain_of_switches(5, " & 3"));
  varyings::IndexValues values(asked.module, asked.entry);
  CHECK(values.of(asked.index, 5) == std::vector<std::uint32_t>{0, 1, 2, 3});
  CHECK(values.steps() < 10000);
}

TEST_CASE("an index that one switch decides is known", "[io]") {
  const Question asked = question(chain_of_switches(1));
  varyings::IndexValues values(asked.module, asked.entry);
  CHECK(values.of(asked.index, 5) == std::vector<std::uint32_t>{0, 1, 2});
  CHECK(values.steps() < 100);
}
