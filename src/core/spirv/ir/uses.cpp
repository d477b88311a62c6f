#include "spirv/ir/uses.h"

#include <algorithm>

#include "spirv/ir/literal_text.h"

namespace varylink::spirv {
namespace {

template <typename Visit>
void for_each_inst(const Module& module, Visit visit) {
  for (const InstRef inst : module.types) visit(inst);
  for (const Function& function : module.functions) {
    for (const InstRef inst : function.head) visit(inst);
    for (const Block& block : function.blocks)
      for (const InstRef inst : block.body) visit(inst);
  }
}

}  // namespace

// Printing and breaking are what the application asked for: they have an effect, and need what they are given.
bool is_of_non_semantic_set(const Module& module, InstRef inst) {
  const InstRef import = module.def(module.operand(inst, 0).word);
  if (!import) return false;
  const auto name = module.operands(import);
  if (is_text(name, "NonSemantic.DebugPrintf") || is_text(name, "NonSemantic.DebugBreak")) return false;
  return starts_with(name, "NonSemantic.") || is_text(name, "OpenCL.DebugInfo.100") || is_text(name, "DebugInfo");
}

Uses::Table Uses::build(const Module& module, std::span<const InstRef> users) {
  Table table;
  if (users.empty()) return table;
  table.first.assign(module.bound + 1, 0);
  const auto each_use = [&](auto visit) {
    for (const InstRef inst : users) {
      if (module[inst].type != 0) visit(module[inst].type, inst);
      for (const Operand& operand : module.operands(inst))
        if (operand.is_id && operand.word < module.bound) visit(operand.word, inst);
    }
  };
  each_use([&](Id value, InstRef) { ++table.first[value + 1]; });
  for (std::size_t i = 1; i < table.first.size(); ++i) table.first[i] += table.first[i - 1];
  table.users.resize(table.first.back());
  std::vector<std::uint32_t> next(table.first.begin(), table.first.end() - 1);
  each_use([&](Id value, InstRef inst) { table.users[next[value]++] = inst; });
  return table;
}

Uses::Uses(const Module& module) {
  std::vector<InstRef> code, debug;
  code.reserve(module.inst_count());
  for_each_inst(module, [&](InstRef inst) {
    if (!module.is_dead(inst)) (is_debug_inst(module, inst) ? debug : code).push_back(inst);
  });
  uses_ = build(module, code);
  debug_uses_ = build(module, debug);
}

std::span<const InstRef> Uses::Table::of(Id value) const {
  if (value + 1 >= first.size()) return {};
  return {users.data() + first[value], first[value + 1] - first[value]};
}

std::span<const InstRef> Uses::of(Id value) const& { return uses_.of(value); }
std::span<const InstRef> Uses::debug_uses_of(Id value) const& { return debug_uses_.of(value); }

std::vector<Place> places_of(const Module& module) {
  std::vector<Place> places(module.inst_count());
  for (std::uint32_t f = 0; f < module.functions.size(); ++f)
    for (std::uint32_t b = 0; b < module.functions[f].blocks.size(); ++b) {
      const auto& body = module.functions[f].blocks[b].body;
      for (std::uint32_t i = 0; i < body.size(); ++i) places[body[i].index] = {f, b, i};
    }
  return places;
}

}  // namespace varylink::spirv
