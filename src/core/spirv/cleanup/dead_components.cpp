#include <algorithm>
#include <set>
#include <vector>

#include "spirv/cleanup/component_liveness.h"
#include "spirv/cleanup/simplify.h"
#include "spirv/ir/globals.h"
#include "spirv/ir/op_info.h"
#include "spirv/ir/uses.h"

namespace varylink::spirv {
namespace {

class Remover {
 public:
  explicit Remover(Module& module) : module_(module), globals_(module), liveness_(module) {}

  bool run() {
    for_each_inst([this](InstRef inst) {
      if (module_[inst].op == spv::Op::OpUndef) local_undefs_.insert(module_[inst].result);
    });
    for_each_inst([this](InstRef inst) { trim(inst); });
    for_each_inst([this](InstRef inst) { remove_unneeded(inst); });
    if (!changed_) return false;
    for_each_inst([this](InstRef inst) { drop_debug_use(inst); });
    module_.sweep();
    return true;
  }

 private:
  template <typename Visit>
  void for_each_inst(Visit visit) {
    for (Function& function : module_.functions)
      for (Block& block : function.blocks)
        for (const InstRef inst : block.body)
          if (!module_.is_dead(inst)) visit(inst);
  }

  // Only instructions that put vectors together can have an operand that is not needed at all. It becomes zero, not
  // undef, so that every driver computes the same in the components nobody needs.
  void trim(InstRef inst) {
    std::uint32_t count = 0;
    switch (module_[inst].op) {
      case spv::Op::OpCompositeConstruct: count = static_cast<std::uint32_t>(module_.operands(inst).size()); break;
      case spv::Op::OpCompositeInsert:
      case spv::Op::OpVectorShuffle: count = 2; break;
      default: return;
    }
    if (liveness_.of(module_[inst].result) == 0) return;
    for (std::uint32_t i = 0; i < count; ++i) {
      const Id value = module_.operand(inst, i).word;
      if (!is_computed(value) || liveness_.of(value) != 0) continue;
      module_.set_operand(inst, i, id(globals_.null_constant(module_.type_of(value))));
      changed_ = true;
    }
  }

  // Made by an instruction in a function body, not a constant or a module-scope undef.
  bool is_computed(Id value) const {
    const spv::Op op = module_.def_op(value);
    if (op == spv::Op::OpUndef) return local_undefs_.count(value) != 0;
    return !(op >= spv::Op::OpConstantTrue && op <= spv::Op::OpSpecConstantOp);
  }

  void remove_unneeded(InstRef inst) {
    if (!is_removable(module_, inst) || liveness_.of(module_[inst].result) != 0) return;
    module_.kill(inst);
    changed_ = true;
  }

  // Debug instructions that describe a removed value describe nothing.
  void drop_debug_use(InstRef inst) {
    if (!is_debug_inst(module_, inst)) return;
    for (const Operand& operand : module_.operands(inst))
      if (operand.is_id && !module_.def(operand.word)) return module_.kill(inst);
  }

  Module& module_;
  Globals globals_;
  ComponentLiveness liveness_;
  std::set<Id> local_undefs_;  // OpUndef in a function body
  bool changed_ = false;
};

}  // namespace

bool remove_dead_components(Module& module) { return Remover(module).run(); }

}  // namespace varylink::spirv
