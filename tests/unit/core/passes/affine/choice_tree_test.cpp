#include "passes/affine/choice_tree.h"

#include "driver/open_stage.h"
#include "prepare/recipes.h"
#include "spirv/tools/binary.h"
#include "support/catch.h"
#include "support/shader.h"

namespace varylink::passes {
namespace {

// A vertex shader that chooses between `u` and nothing in `count` switches of ten cases, one after the other.
std::string chain_of_switches(int count) {
  std::string code = R"(
      layout(location = 0) in ivec4 s[4];
      layout(location = 0) out float chosen;
      layout(set = 0, binding = 0) uniform U { float u; };
      void main() {
        float x = u;)";
  for (int s = 0; s < count; ++s) {
    code += "switch (s[" + std::to_string(s / 4) + "][" + std::to_string(s % 4) + "]) {\n";
    for (int k = 0; k < 10; ++k)
      code += "case " + std::to_string(k) + ": " + (k % 2 == 0 ? "" : k % 4 == 1 ? "x = u; " : "x = 0; ") + "break;\n";
    code += "}\n";
  }
  return code + "chosen = x; }";
}

// One switch of `count` cases.
std::string wide_switch(int count) {
  std::string code = R"(
      layout(location = 0) in int s;
      layout(location = 0) out float chosen;
      layout(set = 0, binding = 0) uniform U { float u; };
      void main() {
        float x = u;
        switch (s) {)";
  for (int k = 0; k < count; ++k)
    code += "case " + std::to_string(k) + ": " + (k % 2 == 0 ? "x = u; " : "x = 0; ") + "break;\n";
  return code + "}\nchosen = x; }";
}

// What is stored last, as the reader of choices sees it.
std::optional<Choice> choice_of(const std::string& glsl) {
  const std::vector<std::uint32_t> words = spirv::write_module(test::module_from_glsl(Stage::vertex, glsl));
  auto stage = driver::read_stage("test", {Stage::vertex, "test", words, ""});
  REQUIRE(stage);
  prepare::run_recipe(prepare::kPrepare, *stage);
  prepare::run_recipe(prepare::kUnroll, *stage);
  const spirv::Module& module = stage->module;
  graph::ValueGraph graph;
  const link::ProducerValues values(*stage, graph);
  spirv::Id stored = 0;
  for (const spirv::Block& block : module.functions.front().blocks)
    for (const spirv::InstRef inst : block.body)
      if (module[inst].op == spv::Op::OpStore) stored = module.operand(inst, 1).word;
  const auto value = values.component(stored, 0);
  REQUIRE(value);
  return ChoiceReader(module, values, graph,
                      [&](graph::ValueId id) {
                        return graph[id].kind == graph::ValueKind::constant ||
                               graph[id].kind == graph::ValueKind::resource;
                      })
      .read(*value);
}

}  // namespace

TEST_CASE("ways that lead to the same value are one node of a choice", "[passes]") {
  const auto choice = choice_of(chain_of_switches(8));
  REQUIRE(choice);
  CHECK(choice->nodes.size() == 8 + 2);
  CHECK(choice->nodes.back().height == 8);
}

TEST_CASE("a choice with too many ways is not read", "[passes]") {
  CHECK(choice_of(wide_switch(1000)));
  CHECK_FALSE(choice_of(wide_switch(ChoiceReader::kMostWays + 1)));
}

TEST_CASE("a choice that is too deep is not read", "[passes]") { CHECK_FALSE(choice_of(chain_of_switches(9))); }

}  // namespace varylink::passes
