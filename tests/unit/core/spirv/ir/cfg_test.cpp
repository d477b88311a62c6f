#include "spirv/ir/cfg.h"

#include <random>
#include <set>

#include "spirv/tools/binary.h"
#include "spirv/tools/tools.h"
#include "support/catch.h"

namespace varylink::spirv {
namespace {

using Graph = std::vector<std::vector<std::uint32_t>>;

// A function whose block i jumps to graph[i] (up to two blocks; none: returns).
Module module_of(const Graph& graph) {
  std::string text =
      "OpCapability Shader\nOpMemoryModel Logical GLSL450\nOpEntryPoint Vertex %main \"main\"\n%void = OpTypeVoid\n"
      "%fn = OpTypeFunction %void\n%bool = OpTypeBool\n%true = OpConstantTrue %bool\n%main = OpFunction %void None "
      "%fn\n";
  const auto label = [](std::uint32_t block) { return "%b" + std::to_string(block); };
  for (std::uint32_t block = 0; block < graph.size(); ++block) {
    text += label(block) + " = OpLabel\n";
    if (graph[block].empty())
      text += "OpReturn\n";
    else if (graph[block].size() == 1)
      text += "OpBranch " + label(graph[block][0]) + "\n";
    else
      text += "OpBranchConditional %true " + label(graph[block][0]) + " " + label(graph[block][1]) + "\n";
  }
  const auto words = assemble(text + "OpFunctionEnd\n", TargetEnv::vulkan1_0, "test");
  REQUIRE(words);
  Result<Module> module = read_module(*words, "test");
  REQUIRE(module);
  return std::move(*module);
}

// Blocks that can be reached from the entry without going through `without`.
std::set<std::uint32_t> reached(const Graph& graph, std::uint32_t without) {
  std::set<std::uint32_t> seen;
  std::vector<std::uint32_t> open;
  if (without != 0) open.push_back(0);
  while (!open.empty()) {
    const std::uint32_t block = open.back();
    open.pop_back();
    if (!seen.insert(block).second) continue;
    for (const std::uint32_t next : graph[block])
      if (next != without) open.push_back(next);
  }
  return seen;
}

// Dominance by definition: b cannot be reached without a.
void check_dominance(const Graph& graph) {
  const Module module = module_of(graph);
  const Cfg cfg(module, module.functions.front());
  const std::set<std::uint32_t> all = reached(graph, Cfg::kNone);
  CHECK(cfg.reverse_post_order().size() == all.size());
  for (std::uint32_t a = 0; a < graph.size(); ++a) {
    CHECK(cfg.reachable(a) == (all.count(a) == 1));
    if (all.count(a) == 0) {
      CHECK(cfg.immediate_dominator(a) == Cfg::kNone);
      continue;
    }
    const std::set<std::uint32_t> without = reached(graph, a);
    for (const std::uint32_t b : all) CHECK(cfg.dominates(a, b) == (a == b || without.count(b) == 0));
  }
  for (const std::uint32_t a : all)
    for (const std::uint32_t b : all) {
      const std::uint32_t common = cfg.common_dominator(a, b);
      CHECK((cfg.dominates(common, a) && cfg.dominates(common, b)));
      for (const std::uint32_t c : all)
        if (cfg.dominates(c, a) && cfg.dominates(c, b)) CHECK(cfg.dominates(c, common));
    }
}

TEST_CASE("dominators of simple shapes", "[spirv]") {
  check_dominance({{}});
  check_dominance({{1, 2}, {3}, {3}, {}});
  check_dominance({{1}, {2, 3}, {1}, {}});
  check_dominance({{1}, {}, {1}});
  check_dominance({{1, 2}, {2}, {1}});  // two entries into a circle
}

TEST_CASE("dominators of all kinds of graphs agree with the definition", "[spirv]") {
  std::mt19937 random(7);
  for (int round = 0; round < 60; ++round) {
    Graph graph(2 + random() % 8);
    for (std::vector<std::uint32_t>& next : graph) {
      const std::uint32_t count = random() % 3;
      // Nothing may jump to the entry block.
      for (std::uint32_t i = 0; i < count; ++i)
        next.push_back(1 + random() % static_cast<std::uint32_t>(graph.size() - 1));
    }
    INFO(round);
    check_dominance(graph);
  }
}

TEST_CASE("loops nest", "[spirv]") {
  constexpr std::string_view kLoops = R"(
OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint Vertex %main "main"
%void = OpTypeVoid
%fn = OpTypeFunction %void
%bool = OpTypeBool
%true = OpConstantTrue %bool
%main = OpFunction %void None %fn
%entry = OpLabel
OpBranch %outer
%outer = OpLabel
OpLoopMerge %end %outer_next None
OpBranch %inner
%inner = OpLabel
OpLoopMerge %inner_end %inner_next None
OpBranchConditional %true %inner_next %inner_end
%inner_next = OpLabel
OpBranch %inner
%inner_end = OpLabel
OpBranch %outer_next
%outer_next = OpLabel
OpBranchConditional %true %outer %end
%end = OpLabel
OpReturn
OpFunctionEnd
)";
  const auto words = assemble(kLoops, TargetEnv::vulkan1_0, "test");
  REQUIRE(words);
  const Result<Module> module = read_module(*words, "test");
  REQUIRE(module);
  const Cfg cfg(*module, module->functions.front());
  const std::vector<std::uint32_t> expected = {0, 1, 2, 2, 1, 1, 0};
  for (std::uint32_t block = 0; block < expected.size(); ++block) {
    INFO(block);
    CHECK(cfg.loop_depth(block) == expected[block]);
  }
  CHECK(cfg.block_of(module->functions.front().blocks[3].label) == 3);
  CHECK(cfg.block_of(module->bound + 1) == Cfg::kNone);
}

}  // namespace
}  // namespace varylink::spirv
