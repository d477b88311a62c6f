#include "specialize_state/attribute_components.h"

#include <algorithm>
#include <bit>
#include <optional>

#include "spirv/ir/code_edit.h"
#include "spirv/ir/emitter.h"
#include "spirv/ir/globals.h"
#include "state/vulkan_format.h"
#include "varyings/reflect/pointer_access.h"

namespace varylink::specialize_state {
namespace {

using spirv::Id;
using spirv::Module;
using varyings::Leaf;
using varyings::PointerAccess;

// Bit i: component i of the leaf has no bits in the format. The rule is about components of 32 bits.
std::uint32_t missing_components(const Leaf& leaf, const state::PipelineState& state) {
  const auto given = state.attribute_formats.find(leaf.slot.location);
  if (given == state.attribute_formats.end() || leaf.scalar.width != 32) return 0;
  const auto format = state::find_format(given->second);
  std::uint32_t missing = 0;
  for (std::uint32_t i = 0; format && i < leaf.count; ++i)
    if (const std::uint32_t component = leaf.slot.component + i; component < 4 && format->bits[component] == 0)
      missing |= 1u << i;
  return missing;
}

bool lacks_components(const varyings::InterfaceVariable& variable, const state::PipelineState& state) {
  return !variable.unsupported && std::any_of(variable.leaves.begin(), variable.leaves.end(),
                                              [&](const Leaf& leaf) { return missing_components(leaf, state) != 0; });
}

class ComponentFiller {
 public:
  ComponentFiller(Module& module, const state::PipelineState& state)
      : module_(module), state_(state), globals_(module), emitter_(module, globals_) {}

  std::map<std::uint32_t, std::string> run(const varyings::Entry& entry) {
    for (const auto& variable : varyings::interface_variables(module_, entry, varyings::Direction::input)) {
      if (!lacks_components(variable, state_)) continue;
      if (!uses_) uses_.emplace(module_);
      const varyings::VariableAccesses found = varyings::accesses_of(module_, *uses_, variable.id);
      for (const PointerAccess& access : found.accesses)
        if (access.kind == PointerAccess::Kind::load) consider(variable, access);
    }
    if (!mattered_.empty()) edit_.apply(module_, entry.function);
    return mattered_;
  }

 private:
  Id value_of(const Leaf& leaf, std::uint32_t index) {
    const bool is_alpha = leaf.slot.component + index == 3;
    const bool is_float = leaf.scalar.kind == varyings::ScalarKind::floating;
    const std::uint32_t one = is_float ? std::bit_cast<std::uint32_t>(1.0f) : 1;
    const Id type = leaf.count == 1 ? leaf.type : spirv::element_type(module_, leaf.type);
    return globals_.scalar_constant(type, {is_alpha ? one : 0});
  }

  void consider(const varyings::InterfaceVariable& variable, const PointerAccess& load) {
    std::vector<std::uint32_t> path;
    for (const Id index : load.indices) {
      const auto number = spirv::constant_int(module_, index);
      if (!number || *number < 0) return;
      path.push_back(static_cast<std::uint32_t>(*number));
    }
    for (const Leaf& leaf : variable.leaves) {
      const std::uint32_t missing = missing_components(leaf, state_);
      if (missing == 0) continue;
      if (path == leaf.path) {
        fill(leaf, load, missing);
      } else if (path.size() == leaf.path.size() + 1 && std::equal(leaf.path.begin(), leaf.path.end(), path.begin()) &&
                 (missing >> path.back() & 1) != 0) {
        edit_.replace(module_[load.inst].result, value_of(leaf, path.back()));
        edit_.remove(load.inst);
        note(leaf);
      }
    }
  }

  void fill(const Leaf& leaf, const PointerAccess& load, std::uint32_t missing) {
    if (leaf.count == 1) {
      edit_.replace(module_[load.inst].result, value_of(leaf, 0));
      edit_.remove(load.inst);
      return note(leaf);
    }
    // The load becomes the shuffle, so that nothing that uses it has to change.
    std::vector<Id> parts;
    for (std::uint32_t i = 0; i < leaf.count; ++i) parts.push_back(value_of(leaf, i));
    emitter_.write_to(edit_.before(load.inst));
    const auto operands_of_load = module_.operands(load.inst);
    const std::vector<spirv::Operand> pointer(operands_of_load.begin(), operands_of_load.end());
    const Id loaded = emitter_.emit(spv::Op::OpLoad, leaf.type, pointer);
    std::vector<spirv::Operand> operands = {spirv::id(loaded),
                                            spirv::id(globals_.composite_constant(leaf.type, parts))};
    for (std::uint32_t i = 0; i < leaf.count; ++i)
      operands.push_back(spirv::lit((missing >> i & 1) != 0 ? leaf.count + i : i));
    module_.rewrite(load.inst, spv::Op::OpVectorShuffle, operands);
    note(leaf);
  }

  void note(const Leaf& leaf) { mattered_[leaf.slot.location] = state_.attribute_formats.at(leaf.slot.location); }

  Module& module_;
  const state::PipelineState& state_;
  std::optional<spirv::Uses> uses_;  // once a component is missing; nothing is changed before
  spirv::Globals globals_;
  spirv::Emitter emitter_;
  spirv::CodeEdit edit_;
  std::map<std::uint32_t, std::string> mattered_;
};

}  // namespace

bool lacks_attribute_components(const Module& module, const varyings::Entry& entry, const state::PipelineState& state) {
  const auto variables = varyings::interface_variables(module, entry, varyings::Direction::input);
  return std::any_of(variables.begin(), variables.end(),
                     [&](const varyings::InterfaceVariable& variable) { return lacks_components(variable, state); });
}

std::map<std::uint32_t, std::string> fill_attribute_components(Module& module, const varyings::Entry& entry,
                                                               const state::PipelineState& state) {
  if (state.attribute_formats.empty()) return {};
  return ComponentFiller(module, state).run(entry);
}

}  // namespace varylink::specialize_state
