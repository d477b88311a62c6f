#include <optional>
#include <set>

#include "base/seeded_fault.h"
#include "spirv/cleanup/clean_ups.h"
#include "spirv/ir/globals.h"
#include "spirv/ir/operations.h"

namespace varylink::spirv {
namespace {

using spv::Op;

bool has_logical_memory(spv::StorageClass storage) {
  switch (storage) {
    case spv::StorageClass::Input:
    case spv::StorageClass::Output:
    case spv::StorageClass::Function:
    case spv::StorageClass::Private:
    case spv::StorageClass::Workgroup:
    case spv::StorageClass::TaskPayloadWorkgroupEXT: return true;
    default: return false;
  }
}

class OutsideAccesses {
 public:
  explicit OutsideAccesses(Module& module) : module_(module) {}

  // Pointers are made in front of where they are used, and never by phis.
  bool run() {
    for (const Function& function : module_.functions)
      for (const Block& block : function.blocks)
        for (const InstRef inst : block.body) visit(inst);
    if (changed_) module_.sweep();
    return changed_;
  }

 private:
  // The component of a constant that is taken out of it, else the value itself.
  Id component_behind(Id value) const {
    const InstRef def = module_.def(value);
    if (module_.def_op(value) != Op::OpCompositeExtract || module_.operands(def).size() != 2) return value;
    const InstRef whole = module_.def(module_.operand(def, 0).word);
    const std::uint32_t component = module_.operand(def, 1).word;
    const bool has_parts = whole && module_[whole].op == Op::OpConstantComposite;
    return has_parts && component < module_.operands(whole).size() ? module_.operand(whole, component).word : value;
  }

  bool is_outside(Id type, Id index) const {
    index = component_behind(index);
    switch (type_kind(module_, type)) {
      case TypeKind::array:
      case TypeKind::matrix:
      case TypeKind::vector: break;
      default: return false;
    }
    const std::uint32_t count = element_count(module_, type);
    if (count == 0 || module_.def_op(index) != Op::OpConstant) return false;
    const std::optional<std::uint32_t> value = constant_index(module_, index);
    return !value || *value >= count;  // without a value it needs more than 32 bits
  }

  // The chain, which starts from a pointer to something that is there, leaves it.
  bool leaves(InstRef chain) const {
    const InstRef pointer = module_.def(module_.type_of(module_.operand(chain, 0).word));
    if (!has_logical_memory(static_cast<spv::StorageClass>(module_.operand(pointer, 0).word))) return false;
    Id type = module_.operand(pointer, 1).word;
    for (const Operand& index : module_.operands(chain).subspan(1)) {
      if (is_outside(type, index.word)) return true;
      type = element_type(module_, type, constant_index(module_, index.word).value_or(0));
    }
    return false;
  }

  bool points_outside(InstRef inst, std::uint32_t operand) const {
    return outside_.count(module_.operand(inst, operand).word) != 0;
  }

  void visit(InstRef inst) {
    switch (module_[inst].op) {
      case Op::OpAccessChain:
      case Op::OpInBoundsAccessChain:
        if (points_outside(inst, 0) || leaves(inst)) outside_.insert(module_[inst].result);
        return;
      case Op::OpCopyObject:
        if (points_outside(inst, 0)) outside_.insert(module_[inst].result);
        return;
      case Op::OpLoad:
        if (points_outside(inst, 0)) become_zero(inst);
        return;
      case Op::OpStore:
        if (points_outside(inst, 0)) remove(inst);
        return;
      case Op::OpCopyMemory: return visit_copy(inst);
      case Op::OpExtInst:
        if (row_of(module_, inst).is(kInterpolates) && points_outside(inst, 2)) become_zero(inst);
        return;
      case Op::OpVectorExtractDynamic:
        if (is_outside(module_.type_of(module_.operand(inst, 0).word), module_.operand(inst, 1).word))
          become_zero(inst);
        return;
      case Op::OpVectorInsertDynamic:  // the whole vector is undefined then
        if (is_outside(module_[inst].type, module_.operand(inst, 2).word)) become(inst, module_.operand(inst, 0).word);
        return;
      default: return;
    }
  }

  void visit_copy(InstRef copy) {
    if (points_outside(copy, 0)) return remove(copy);
    if (!points_outside(copy, 1)) return;
    const Id type = pointee_type(module_, module_.type_of(module_.operand(copy, 0).word));
    if (!is_plain_type(module_, type)) return;
    module_.rewrite(copy, Op::OpStore, {module_.operand(copy, 0), id(null_of(type))});
    changed_ = true;
  }

  void become(InstRef inst, Id value) {
    module_.rewrite(inst, Op::OpCopyObject, {id(value)});
    changed_ = true;
  }

  void become_zero(InstRef inst) {
    const Id type = module_[inst].type;
    if (is_plain_type(module_, type)) become(inst, null_of(type));
  }

  Id null_of(Id type) {
    if (!globals_) globals_.emplace(module_);
    return globals_->null_constant(type);
  }

  void remove(InstRef inst) {
    module_.kill(inst);
    changed_ = true;
  }

  Module& module_;
  std::optional<Globals> globals_;  // indexing them takes time, and few modules need it
  std::set<Id> outside_;            // pointers
  bool changed_ = false;
};

}  // namespace

// Rule.
bool remove_outside_accesses(Module& module) {
  if (seeded_fault("outside-accesses-stay")) return false;
  return OutsideAccesses(module).run();
}

}  // namespace varylink::spirv
