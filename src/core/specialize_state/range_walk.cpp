#include "specialize_state/range_walk.h"

#include <algorithm>
#include <bit>
#include <optional>
#include <set>
#include <utility>

#include "analysis/built_in_slice.h"
#include "spirv/ir/code_edit.h"
#include "spirv/ir/globals.h"
#include "spirv/ir/op_info.h"
#include "spirv/ir/scalar_view.h"
#include "spirv/ir/uses.h"
#include "varyings/reflect/pointer_access.h"

namespace varylink::specialize_state {
namespace {

using spirv::Id;
using spirv::InstRef;
using spirv::Module;
using spv::Op;

using Ranges = std::vector<std::optional<Range>>;  // by component

class RangeWalk {
 public:
  RangeWalk(Module& module, const varyings::Entry& entry, const InputRange& input_range)
      : module_(module), entry_(entry), input_range_(input_range), uses_(module), globals_(module) {}

  FoundRanges run() {
    start();
    if (known_.empty()) return {};
    const spirv::Function* function = module_.function(entry_.function);
    relaxed_ = spirv::relaxed_ids(module_);
    feeds_built_in_ = analysis::reaches_built_in(module_, *function);
    for (const spirv::Block& block : function->blocks)
      for (const InstRef inst : block.body) visit(inst);
    FoundRanges found = {stored_ranges(), from_};
    for (const auto& [value, other] : replaced_) {
      edit_.replace(value, other);
      edit_.remove(module_.def(value));
    }
    if (!replaced_.empty()) edit_.apply(module_, entry_.function);
    return found;
  }

 private:
  // The loads of inputs.
  void start() {
    for (const auto& variable : varyings::interface_variables(module_, entry_, varyings::Direction::input)) {
      if (variable.unsupported) continue;
      const varyings::VariableAccesses found = varyings::accesses_of(module_, uses_, variable.id);
      for (const varyings::PointerAccess& access : found.accesses) {
        if (access.kind != varyings::PointerAccess::Kind::load) continue;
        for (const varyings::Leaf& leaf : variable.leaves) start_at(leaf, access);
      }
    }
  }

  void start_at(const varyings::Leaf& leaf, const varyings::PointerAccess& load) {
    Ranges ranges;
    if (const auto part = part_of(leaf, load))
      for (std::uint32_t i = part->first; i < part->first + part->count; ++i) ranges.push_back(input_range_(leaf, i));
    note(module_[load.inst].result, std::move(ranges));
  }

  // Components of a leaf.
  struct Part {
    std::uint32_t first = 0, count = 0;
  };

  // The accessed part of the leaf; none if the access is to something else, or to a part of the leaf together with
  // others.
  std::optional<Part> part_of(const varyings::Leaf& leaf, const varyings::PointerAccess& access) const {
    std::vector<std::uint32_t> path;
    for (const Id index : access.indices) {
      const auto number = spirv::constant_int(module_, index);
      if (!number || *number < 0) return std::nullopt;
      path.push_back(static_cast<std::uint32_t>(*number));
    }
    if (path == leaf.path) return Part{0, leaf.count};
    if (path.size() == leaf.path.size() + 1 && std::equal(leaf.path.begin(), leaf.path.end(), path.begin()))
      return Part{path.back(), 1};
    return std::nullopt;
  }

  // By slot, what all stores of it leave there.
  std::map<varyings::Slot, Range> stored_ranges() const {
    std::map<varyings::Slot, Range> result;
    for (const auto& variable : varyings::interface_variables(module_, entry_, varyings::Direction::output)) {
      if (variable.unsupported || variable.arrayed) continue;
      const varyings::VariableAccesses found = varyings::accesses_of(module_, uses_, variable.id);
      if (found.obstacle) continue;
      for (const varyings::Leaf& leaf : variable.leaves)
        for (std::uint32_t i = 0; i < leaf.count; ++i)
          if (const auto range = stored_range(leaf, i, found.accesses)) result[leaf.slot_of(i)] = *range;
    }
    return result;
  }

  std::optional<Range> stored_range(const varyings::Leaf& leaf, std::uint32_t component,
                                    const std::vector<varyings::PointerAccess>& accesses) const {
    if (leaf.scalar.width != 32 || leaf.relaxed_precision) return std::nullopt;
    std::optional<Range> all;
    for (const varyings::PointerAccess& access : accesses) {
      if (access.kind != varyings::PointerAccess::Kind::store || stores_elsewhere(leaf, access)) continue;
      const auto part = part_of(leaf, access);
      if (!part) return std::nullopt;
      if (component < part->first || component >= part->first + part->count) continue;
      const auto one = range(module_.operand(access.inst, 1).word, component - part->first);
      if (!one) return std::nullopt;
      all = all ? joined(*all, *one) : *one;
    }
    return all;
  }

  // The store touches nothing of the leaf.
  bool stores_elsewhere(const varyings::Leaf& leaf, const varyings::PointerAccess& store) const {
    const std::size_t shared = std::min(leaf.path.size(), store.indices.size());
    for (std::size_t i = 0; i < shared; ++i) {
      const auto number = spirv::constant_int(module_, store.indices[i]);
      if (number && *number != static_cast<std::int64_t>(leaf.path[i])) return true;
    }
    return false;
  }

  void note(Id value, Ranges ranges) {
    if (std::any_of(ranges.begin(), ranges.end(), [](const auto& range) { return range.has_value(); }))
      known_[value] = std::move(ranges);
  }

  std::uint32_t width(Id type) const { return spirv::component_count(module_, type); }

  bool is_float(Id type) const {
    return module_.def_op(width(type) > 1 ? spirv::element_type(module_, type) : type) == Op::OpTypeFloat;
  }

  // Scalars and vectors of 32-bit numbers.
  bool is_number(Id type) const {
    const Id scalar = width(type) > 1 ? spirv::element_type(module_, type) : type;
    const Op op = module_.def_op(scalar);
    return (op == Op::OpTypeFloat || op == Op::OpTypeInt) && module_.operand(module_.def(scalar), 0).word == 32;
  }

  std::optional<Range> constant(Id value, std::uint32_t component) const {
    const InstRef def = module_.def(value);
    switch (module_[def].op) {
      case Op::OpConstantNull: return Range{};
      case Op::OpConstantComposite: return constant(module_.operand(def, component).word, 0);
      case Op::OpConstant: {
        const std::uint32_t bits = module_.operand(def, 0).word;
        double number = static_cast<std::int32_t>(bits);
        if (is_float(module_[def].type)) number = std::bit_cast<float>(bits);
        if (!(number >= -3e38 && number <= 3e38)) return std::nullopt;
        return Range{number, number};
      }
      default: return std::nullopt;
    }
  }

  std::optional<Range> range(Id value, std::uint32_t component) const {
    if (const auto found = known_.find(value); found != known_.end())
      return component < found->second.size() ? found->second[component] : std::nullopt;
    const InstRef def = module_.def(value);
    if (!def || module_[def].type == 0 || !is_number(module_[def].type)) return std::nullopt;
    return constant(value, component);
  }

  // The operands of a component of a component-wise operation; none if one is not known.
  std::optional<std::vector<Range>> operand_ranges(InstRef inst, std::uint32_t component) const {
    std::vector<Range> ranges;
    for (std::uint32_t i = spirv::first_value_operand(module_, inst); i < module_.operands(inst).size(); ++i) {
      const spirv::Operand operand = module_.operand(inst, i);
      if (!operand.is_id) return std::nullopt;
      const auto one = range(operand.word, component);
      if (!one) return std::nullopt;
      ranges.push_back(*one);
    }
    return ranges;
  }

  void visit(InstRef inst) {
    const Id result = module_[inst].result, type = module_[inst].type;
    if (result == 0 || type == 0 || known_.count(result) != 0 || width(type) == 0) return;
    std::vector<spirv::Scalar> scalars;
    if (spirv::arranges_scalars(module_, inst, scalars)) return arrange(inst, scalars);
    switch (module_[inst].op) {
      case Op::OpPhi: return follow(inst, [&](std::uint32_t i) { return of_all(inst, 0, 2, i); });
      case Op::OpSelect: return follow(inst, [&](std::uint32_t i) { return of_all(inst, 1, 1, i); });
      default: operate(inst);
    }
  }

  template <typename Each>
  void follow(InstRef inst, Each each) {
    if (!is_number(module_[inst].type)) return;
    Ranges ranges;
    for (std::uint32_t i = 0; i < width(module_[inst].type); ++i) ranges.push_back(each(i));
    note(module_[inst].result, std::move(ranges));
  }

  // The range of a value that comes around a loop is not known yet, nor that of the result.
  std::optional<Range> of_all(InstRef inst, std::uint32_t first, std::uint32_t step, std::uint32_t component) const {
    std::optional<Range> all;
    for (std::uint32_t i = first; i < module_.operands(inst).size(); i += step) {
      const auto one = range(module_.operand(inst, i).word, component);
      if (!one) return std::nullopt;
      all = all ? joined(*all, *one) : *one;
    }
    return all;
  }

  void arrange(InstRef inst, const std::vector<spirv::Scalar>& scalars) {
    if (!is_number(module_[inst].type)) return;
    Ranges ranges;
    for (const spirv::Scalar& scalar : scalars)
      ranges.push_back(scalar.value == 0 ? std::nullopt : range(scalar.value, scalar.index));
    note(module_[inst].result, std::move(ranges));
  }

  void operate(InstRef inst) {
    if (!spirv::is_component_wise(module_, inst)) return;
    const bool is_glsl = module_[inst].op == Op::OpExtInst;
    const std::uint32_t glsl = is_glsl ? module_.operand(inst, 1).word : 0, count = width(module_[inst].type);
    std::vector<std::vector<Range>> operands;
    for (std::uint32_t i = 0; i < count; ++i) {
      auto of_component = operand_ranges(inst, i);
      if (of_component && of_component->empty()) return;
      operands.push_back(of_component ? std::move(*of_component) : std::vector<Range>{});
    }
    if (decide(inst, operands) || !is_number(module_[inst].type)) return;
    if (take_operand(inst, glsl, operands)) return;
    const bool yields_float = is_float(module_[inst].type);
    if (yields_float && relaxed_.count(module_[inst].result) != 0) return;
    follow(inst, [&](std::uint32_t i) {
      return operands[i].empty() ? std::nullopt : result_range(module_[inst].op, glsl, yields_float, operands[i]);
    });
    make_constant(inst);
  }

  // A comparison that has one result.
  bool decide(InstRef inst, const std::vector<std::vector<Range>>& operands) {
    if (is_invariant_ && feeds_built_in_[module_[inst].result]) return false;
    std::vector<Id> results;
    for (const std::vector<Range>& each : operands) {
      if (each.size() != 2 || (each[0].from | each[1].from) == 0) return false;
      const auto result = decided(module_[inst].op, each[0], each[1]);
      if (!result) return false;
      results.push_back(globals_.bool_constant(*result));
    }
    use_instead(inst, results.size() == 1 ? results[0] : globals_.composite_constant(module_[inst].type, results),
                operands);
    return true;
  }

  bool take_operand(InstRef inst, std::uint32_t glsl, const std::vector<std::vector<Range>>& operands) {
    if (feeds_built_in_[module_[inst].result]) return false;
    std::optional<std::uint32_t> taken;
    for (const std::vector<Range>& each : operands) {
      const auto unchanged = each.empty() ? std::nullopt : unchanged_operand(module_[inst].op, glsl, each);
      if (!unchanged || (taken && *taken != *unchanged)) return false;
      taken = unchanged;
    }
    const Id operand = module_.operand(inst, spirv::first_value_operand(module_, inst) + *taken).word;
    if (module_.type_of(operand) != module_[inst].type) return false;
    Ranges own;
    for (const std::vector<Range>& each : operands) own.push_back(each[*taken]);
    note(module_[inst].result, std::move(own));
    use_instead(inst, operand, operands);
    return true;
  }

  // An integer with one value.
  void make_constant(InstRef inst) {
    const auto found = known_.find(module_[inst].result);
    const Id type = module_[inst].type;
    if (found == known_.end() || is_float(type) || feeds_built_in_[module_[inst].result]) return;
    std::vector<Id> values;
    for (const auto& one : found->second) {
      if (!one || !one->is_point() || one->from == 0) return;
      const auto bits = static_cast<std::uint32_t>(static_cast<std::int64_t>(one->low));
      values.push_back(globals_.scalar_constant(width(type) > 1 ? spirv::element_type(module_, type) : type, {bits}));
    }
    std::vector<std::vector<Range>> reason;
    for (const auto& one : found->second) reason.push_back({*one});
    use_instead(inst, values.size() == 1 ? values[0] : globals_.composite_constant(type, values), reason);
  }

  void use_instead(InstRef inst, Id value, const std::vector<std::vector<Range>>& reason) {
    if (const auto again = replaced_.find(value); again != replaced_.end()) value = again->second;
    replaced_[module_[inst].result] = value;
    for (const std::vector<Range>& each : reason)
      for (const Range& one : each) from_ |= one.from;
  }

  Module& module_;
  const varyings::Entry& entry_;
  const InputRange& input_range_;
  spirv::Uses uses_;
  spirv::Globals globals_;
  spirv::CodeEdit edit_;
  std::map<Id, Ranges> known_;
  std::map<Id, Id> replaced_;
  std::set<Id> relaxed_;
  std::vector<bool> feeds_built_in_;
  bool is_invariant_ = analysis::has_invariant(module_);
  std::uint64_t from_ = 0;
};

}  // namespace

FoundRanges walk_ranges(Module& module, const varyings::Entry& entry, const InputRange& input_range) {
  return RangeWalk(module, entry, input_range).run();
}

}  // namespace varylink::specialize_state
