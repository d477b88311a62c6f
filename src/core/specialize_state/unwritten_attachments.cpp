#include "specialize_state/unwritten_attachments.h"

#include <algorithm>
#include <optional>

#include "spirv/ir/code_edit.h"
#include "spirv/ir/emitter.h"
#include "spirv/ir/globals.h"
#include "spirv/ir/memory_operands.h"
#include "varyings/reflect/pointer_access.h"

namespace varylink::specialize_state {
namespace {

using spirv::Id;
using spirv::Module;
using varyings::PointerAccess;

constexpr std::uint32_t kAlpha = 3;

class OutputDropper {
 public:
  OutputDropper(Module& module, const std::vector<state::ColorAttachment>& attachments, bool no_alpha_to_coverage)
      : module_(module),
        attachments_(attachments),
        no_alpha_to_coverage_(no_alpha_to_coverage),
        globals_(module),
        emitter_(module, globals_) {}

  bool run(const varyings::Entry& entry) {
    for (const auto& variable : varyings::interface_variables(module_, entry, varyings::Direction::output))
      if (!variable.unsupported) consider(variable);
    if (changed_) edit_.apply(module_, entry.function);
    return changed_;
  }

 private:
  bool is_dead(varyings::Slot slot) const {
    if (slot.location == 0 && slot.component == kAlpha && !no_alpha_to_coverage_) return false;
    return slot.location >= attachments_.size() || attachments_[slot.location].takes_nothing();
  }

  // Bit i: no attachment takes component i of the leaf.
  std::uint32_t dead_components(const varyings::Leaf& leaf) const {
    std::uint32_t dead = 0;
    for (std::uint32_t i = 0; i < leaf.count; ++i)
      if (is_dead(leaf.slot_of(i))) dead |= 1u << i;
    return dead;
  }

  void consider(const varyings::InterfaceVariable& variable) {
    const bool any = std::any_of(variable.leaves.begin(), variable.leaves.end(),
                                 [&](const varyings::Leaf& leaf) { return dead_components(leaf) != 0; });
    if (!any) return;
    if (!uses_) uses_.emplace(module_);
    const varyings::VariableAccesses found = varyings::accesses_of(module_, *uses_, variable.id);
    const auto is_plain_store = [&](const PointerAccess& access) {
      return spirv::is_plain_store(module_, access.inst);
    };
    if (found.obstacle || !std::all_of(found.accesses.begin(), found.accesses.end(), is_plain_store)) return;
    for (const PointerAccess& store : found.accesses) rewrite(variable, store);
  }

  void rewrite(const varyings::InterfaceVariable& variable, const PointerAccess& store) {
    std::vector<std::uint32_t> path;
    for (const Id index : store.indices) {
      const auto number = spirv::constant_int(module_, index);
      if (!number || *number < 0) return;
      path.push_back(static_cast<std::uint32_t>(*number));
    }
    for (const varyings::Leaf& leaf : variable.leaves) {
      if (path == leaf.path) return rewrite_leaf(leaf, store);
      const bool is_component =
          path.size() == leaf.path.size() + 1 && std::equal(leaf.path.begin(), leaf.path.end(), path.begin());
      if (is_component && (dead_components(leaf) >> path.back() & 1) != 0) return remove(store);
    }
  }

  void rewrite_leaf(const varyings::Leaf& leaf, const PointerAccess& store) {
    const std::uint32_t dead = dead_components(leaf), all = (1u << leaf.count) - 1;
    if (dead == all) return remove(store);
    if (dead == 0) return;
    std::vector<spirv::Operand> operands = {module_.operand(store.inst, 1),
                                            spirv::id(globals_.null_constant(leaf.type))};
    for (std::uint32_t i = 0; i < leaf.count; ++i)
      operands.push_back(spirv::lit((dead >> i & 1) != 0 ? leaf.count + i : i));
    emitter_.write_to(edit_.before(store.inst));
    module_.set_operand(store.inst, 1, spirv::id(emitter_.emit(spv::Op::OpVectorShuffle, leaf.type, operands)));
    changed_ = true;
  }

  void remove(const PointerAccess& store) {
    edit_.remove(store.inst);
    changed_ = true;
  }

  Module& module_;
  const std::vector<state::ColorAttachment>& attachments_;
  bool no_alpha_to_coverage_;
  std::optional<spirv::Uses> uses_;  // once an output is dead; nothing is changed before
  spirv::Globals globals_;
  spirv::Emitter emitter_;
  spirv::CodeEdit edit_;
  bool changed_ = false;
};

}  // namespace

bool drop_unwritten_outputs(Module& module, const varyings::Entry& entry,
                            const std::vector<state::ColorAttachment>& attachments, bool no_alpha_to_coverage) {
  return OutputDropper(module, attachments, no_alpha_to_coverage).run(entry);
}

}  // namespace varylink::specialize_state
