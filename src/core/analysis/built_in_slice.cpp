#include "analysis/built_in_slice.h"

#include <algorithm>
#include <set>

#include "analysis/backward_reach.h"
#include "spirv/ir/pointer_path.h"
#include "spirv/ir/pointer_uses.h"

namespace varylink::analysis {

using spirv::Id;
using spirv::InstRef;
using spv::Op;

std::vector<bool> reaches_built_in(const spirv::Module& module, const spirv::Function& function) {
  std::set<Id> located;
  for (const InstRef inst : module.annotations)
    if (module[inst].op == Op::OpDecorate &&
        static_cast<spv::Decoration>(module.operand(inst, 1).word) == spv::Decoration::Location)
      located.insert(module.operand(inst, 0).word);
  const auto is_root = [&](InstRef inst) {
    const std::vector<Id> written = spirv::pointers_written(module, inst);
    if (written.empty()) return module[inst].result == 0;
    return std::any_of(written.begin(), written.end(),
                       [&](Id pointer) { return located.count(spirv::root_of(module, pointer)) == 0; });
  };
  return reaching(module, function, is_root);
}

bool has_invariant(const spirv::Module& module) {
  return std::any_of(module.annotations.begin(), module.annotations.end(), [&](InstRef inst) {
    const bool on_member = module[inst].op == Op::OpMemberDecorate;
    return static_cast<spv::Decoration>(module.operand(inst, on_member ? 2 : 1).word) == spv::Decoration::Invariant;
  });
}

}  // namespace varylink::analysis
