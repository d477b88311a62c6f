#include <algorithm>
#include <vector>

#include "spirv/globals.h"
#include "spirv/op_info.h"
#include "spirv/simplify.h"
#include "spirv/uses.h"

namespace varylink::spirv {
namespace {

using Mask = std::uint32_t;
constexpr Mask kAll = 0xffffffffu;

// Backward data flow: which components of each value somebody needs.
class Liveness {
 public:
  explicit Liveness(const Module& module) : module_(module), live_(module.bound, 0) {
    for (const Function& function : module.functions)
      for (const Block& block : function.blocks)
        for (const InstRef inst : block.body)
          if (!is_removable(module, inst) && !is_debug_inst(module, inst)) need_operands(inst);
    while (!work_.empty()) {
      const Id value = work_.back();
      work_.pop_back();
      spread(value);
    }
  }

  Mask of(Id value) const { return value < live_.size() ? live_[value] : kAll; }

 private:
  void need(Id value, Mask mask) {
    if (value >= live_.size()) return;
    if (component_count(module_, module_.type_of(value)) <= 1 && mask != 0) mask = kAll;
    if ((mask & ~live_[value]) == 0) return;
    live_[value] |= mask;
    work_.push_back(value);
  }

  void need_operands(InstRef inst, Mask mask = kAll) {
    for (const Operand& operand : module_.operands(inst))
      if (operand.is_id) need(operand.word, mask);
  }

  void spread(Id value) {
    const InstRef def = module_.def(value);
    if (!def) return;
    const Mask mask = live_[value];
    switch (module_[def].op) {
      case spv::Op::OpCompositeExtract: return spread_extract(def);
      case spv::Op::OpCompositeConstruct: return spread_construct(def, mask);
      case spv::Op::OpCompositeInsert: return spread_insert(def, mask);
      case spv::Op::OpVectorShuffle: return spread_shuffle(def, mask);
      case spv::Op::OpVectorTimesScalar:
        need(module_.operand(def, 0).word, mask);
        return need(module_.operand(def, 1).word, kAll);
      default: break;
    }
    if (!is_component_wise(module_, def)) return need_operands(def);
    const std::uint32_t width = component_count(module_, module_[def].type);
    for (const Operand& operand : module_.operands(def)) {
      if (!operand.is_id) continue;
      const bool same_width = component_count(module_, module_.type_of(operand.word)) == width;
      need(operand.word, same_width ? mask : kAll);
    }
  }

  void spread_extract(InstRef def) {
    const Id composite = module_.operand(def, 0).word;
    const bool is_vector = component_count(module_, module_.type_of(composite)) > 1;
    need(composite, is_vector ? Mask{1} << (module_.operand(def, 1).word & 31) : kAll);
  }

  void spread_construct(InstRef def, Mask mask) {
    if (component_count(module_, module_[def].type) <= 1) return need_operands(def);
    std::uint32_t at = 0;
    for (const Operand& operand : module_.operands(def)) {
      const std::uint32_t width = std::max(1u, component_count(module_, module_.type_of(operand.word)));
      const Mask part = (mask >> at) & ((Mask{1} << width) - 1);
      if (part != 0) need(operand.word, part);
      at += width;
    }
  }

  void spread_insert(InstRef def, Mask mask) {
    const Id object = module_.operand(def, 0).word;
    const Id composite = module_.operand(def, 1).word;
    const bool is_vector = component_count(module_, module_[def].type) > 1;
    if (!is_vector) return need_operands(def);
    const Mask bit = Mask{1} << (module_.operand(def, 2).word & 31);
    if ((mask & bit) != 0) need(object, kAll);
    const Mask rest = mask & ~bit & ((Mask{1} << component_count(module_, module_[def].type)) - 1);
    if (rest != 0) need(composite, rest);
  }

  void spread_shuffle(InstRef def, Mask mask) {
    const Id first = module_.operand(def, 0).word;
    const Id second = module_.operand(def, 1).word;
    const std::uint32_t first_width = component_count(module_, module_.type_of(first));
    for (std::uint32_t lane = 0; lane + 2 < module_.operands(def).size(); ++lane) {
      const std::uint32_t source = module_.operand(def, 2 + lane).word;
      if ((mask >> lane & 1) == 0 || source == 0xffffffffu) continue;
      if (source < first_width)
        need(first, Mask{1} << source);
      else
        need(second, Mask{1} << (source - first_width));
    }
  }

  const Module& module_;
  std::vector<Mask> live_;
  std::vector<Id> work_;
};

class Remover {
 public:
  explicit Remover(Module& module) : module_(module), globals_(module), liveness_(module) {}

  bool run() {
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
    return op != spv::Op::OpUndef && !(op >= spv::Op::OpConstantTrue && op <= spv::Op::OpSpecConstantOp);
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
  Liveness liveness_;
  bool changed_ = false;
};

}  // namespace

bool remove_dead_components(Module& module) { return Remover(module).run(); }

}  // namespace varylink::spirv
