#include "varyings/scalarize/loop_indices.h"

#include <algorithm>
#include <set>
#include <vector>

#include "spirv/ir/cfg.h"
#include "spirv/ir/globals.h"
#include "varyings/reflect/interface_variable.h"

namespace varylink::varyings {
namespace {

using spirv::Block;
using spirv::Function;
using spirv::Id;
using spirv::InstRef;
using spirv::Module;

// Values looked at for one index (rule ).
constexpr std::size_t kMaxValuesOfIndex = 64;

struct Loop {
  const Function* function = nullptr;
  Id merge_label = 0;
};

// Phis lead a block (SPIR-V 2.16.1): the body is not looked through.
bool begins_with(const Module& module, const Block& block, InstRef phi) {
  for (const InstRef inst : block.body) {
    if (inst == phi) return true;
    if (module[inst].op != spv::Op::OpPhi && module[inst].op != spv::Op::OpLine && module[inst].op != spv::Op::OpNoLine)
      return false;
  }
  return false;
}

// The loop whose header has this phi.
std::optional<Loop> loop_with(const Module& module, InstRef phi) {
  for (const Function& function : module.functions)
    for (const Block& block : function.blocks)
      if (const InstRef merge = spirv::loop_merge(module, block))
        if (begins_with(module, block, phi)) return Loop{&function, module.operand(merge, 0).word};
  return std::nullopt;
}

// The loop whose counter the index is made of.
std::optional<Loop> loop_behind(const Module& module, Id index) {
  std::set<Id> seen;
  std::vector<Id> open = {index};
  while (!open.empty() && seen.size() < kMaxValuesOfIndex) {
    const Id id = open.back();
    open.pop_back();
    const InstRef def = module.def(id);
    if (!def || !seen.insert(id).second) continue;
    if (module[def].op == spv::Op::OpPhi)
      if (const auto loop = loop_with(module, def)) return loop;
    if (module[def].op == spv::Op::OpLoad) continue;
    for (const spirv::Operand& operand : module.operands(def))
      if (operand.is_id) open.push_back(operand.word);
  }
  return std::nullopt;
}

// The branches that leave a loop.
std::vector<InstRef> ways_out(const Module& module, const Loop& loop) {
  std::vector<InstRef> found;
  for (const Block& block : loop.function->blocks) {
    const InstRef end = block.body.empty() ? InstRef{} : block.body.back();
    if (!end) continue;
    const auto operands = module.operands(end);
    if (std::any_of(operands.begin(), operands.end(),
                    [&](spirv::Operand operand) { return operand.is_id && operand.word == loop.merge_label; }))
      found.push_back(end);
  }
  return found;
}

bool compares_with_constant(const Module& module, InstRef branch) {
  if (module[branch].op != spv::Op::OpBranchConditional) return false;
  const InstRef condition = module.def(module.operand(branch, 0).word);
  if (!condition) return false;
  const auto operands = module.operands(condition);
  return std::any_of(operands.begin(), operands.end(), [&](spirv::Operand operand) {
    return operand.is_id && constant_int(module, operand.word).has_value();
  });
}

}  // namespace

std::string loop_of_index(const Module& module, Id index) {
  const auto loop = loop_behind(module, index);
  if (!loop) return {};
  const std::vector<InstRef> exits = ways_out(module, *loop);
  if (exits.size() > 1) return ", in a loop that is left early";
  if (exits.empty() || !compares_with_constant(module, exits.front()))
    return ", in a loop whose number of rounds is not known";
  return ", in a loop that is too long or not simple enough to be unrolled";
}

}  // namespace varylink::varyings
