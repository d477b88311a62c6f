#include "link/rules/interface_model.h"

#include <algorithm>

#include "spirv/ir/globals.h"
#include "varyings/reflect/decoration_index.h"

namespace varylink::link {
namespace {

using spirv::Id;
using spirv::Module;
using varyings::Leaf;

constexpr int kMaxTypeDepth = 64;

bool is_block(const Module& module, const varyings::DecorationIndex& decorations, Id type) {
  return module.def_op(type) == spv::Op::OpTypeStruct && decorations.of(type).has(spv::Decoration::Block);
}

std::optional<std::uint32_t> spec_id(const Module& module, Id constant) {
  return varyings::decorations_of(module, constant).value(spv::Decoration::SpecId);
}

// Two values that are constant once the pipeline is made. With equal SpecId and default they are taken as equal: an
// application that specializes one stage and not the other has an invalid pipeline whatever is said here.
TypeMatch match_constants(const Module& a, Id value_a, const Module& b, Id value_b, int depth) {
  const auto plain_a = spirv::constant_int(a, value_a), plain_b = spirv::constant_int(b, value_b);
  if (plain_a && plain_b) return plain_a == plain_b ? TypeMatch::same : TypeMatch::different;
  const spv::Op op = a.def_op(value_a);
  if (op != b.def_op(value_b) || depth > kMaxTypeDepth) return TypeMatch::specialized;
  const auto in_a = a.operands(a.def(value_a));
  const auto in_b = b.operands(b.def(value_b));
  if (in_a.size() != in_b.size()) return TypeMatch::specialized;
  if (op == spv::Op::OpSpecConstant && spec_id(a, value_a) != spec_id(b, value_b)) return TypeMatch::specialized;
  for (std::size_t i = 0; i < in_a.size(); ++i) {
    const bool same = in_a[i].is_id ? match_constants(a, in_a[i].word, b, in_b[i].word, depth + 1) == TypeMatch::same
                                    : in_a[i].word == in_b[i].word;
    if (!same) return TypeMatch::specialized;
  }
  return TypeMatch::same;
}

TypeMatch match_below(const Module& a, Id type_a, const Module& b, Id type_b, int depth) {
  const spv::Op op = a.def_op(type_a);
  if (op != b.def_op(type_b) || depth > kMaxTypeDepth) return TypeMatch::different;
  const auto in_a = a.operands(a.def(type_a));
  const auto in_b = b.operands(b.def(type_b));
  if (in_a.size() != in_b.size()) return TypeMatch::different;
  if (op == spv::Op::OpTypeArray)
    return std::max(match_constants(a, in_a[1].word, b, in_b[1].word, depth + 1),
                    match_below(a, in_a[0].word, b, in_b[0].word, depth + 1));
  if (op == spv::Op::OpTypeInt && in_a[0].word == in_b[0].word)
    return in_a[1].word == in_b[1].word ? TypeMatch::same : TypeMatch::signedness;
  TypeMatch worst = TypeMatch::same;
  for (std::size_t i = 0; i < in_a.size(); ++i) {
    if (in_a[i].is_id)
      worst = std::max(worst, match_below(a, in_a[i].word, b, in_b[i].word, depth + 1));
    else if (in_a[i].word != in_b[i].word)
      worst = TypeMatch::different;
  }
  return worst;
}

std::string vector_prefix(varyings::ScalarType scalar) {
  const bool narrow = scalar.width != 32;
  switch (scalar.kind) {
    case varyings::ScalarKind::floating:
      return scalar.width == 64 ? "d" : narrow ? "f" + std::to_string(scalar.width) : "";
    case varyings::ScalarKind::sint: return narrow ? "i" + std::to_string(scalar.width) : "i";
    case varyings::ScalarKind::uint: return narrow ? "u" + std::to_string(scalar.width) : "u";
    case varyings::ScalarKind::boolean: return "b";
  }
  return "";
}

}  // namespace

Result<StageView> view_of(const Module& module, Stage stage, const std::string& entry_name, const FileRef& file) {
  auto entry = varyings::find_entry(module, stage, entry_name, file);
  if (!entry) return entry.error();
  return StageView{&module, std::move(*entry), file};
}

const varyings::DecorationIndex& StageView::decorations() const {
  if (!index) index = std::make_shared<const varyings::DecorationIndex>(*module);
  return *index;
}

std::vector<varyings::InterfaceVariable> StageView::variables(varyings::Direction direction) const {
  return varyings::interface_variables(*module, entry, direction, decorations());
}

std::vector<varyings::BuiltIn> StageView::built_ins(varyings::Direction direction) const {
  return varyings::built_ins(*module, entry, direction, decorations());
}

InterfaceModel::InterfaceModel(const StageView& stage, varyings::Direction direction)
    : stage_(stage), variables_(stage.variables(direction)) {
  accesses_ = varyings::analyze_access(*stage.module, stage.entry, variables_);
  const varyings::DecorationIndex& decorations = stage.decorations();
  for (std::size_t variable = 0; variable < variables_.size(); ++variable) {
    add_units(variable, is_block(*stage.module, decorations, variables_[variable].element_type));
    add_slots(variable);
  }
}

void InterfaceModel::add_units(std::size_t variable, bool block) {
  const varyings::InterfaceVariable& declared = variables_[variable];
  const Module& module = *stage_.module;
  if (!block) {
    units_.push_back({variable, 0, declared.leaves.size(), declared.element_type});
    return;
  }
  const auto members = module.operands(module.def(declared.element_type));
  for (std::size_t leaf = 0; leaf < declared.leaves.size(); ++leaf) {
    const std::uint32_t member = declared.leaves[leaf].path.front();
    if (leaf == 0 || member != declared.leaves[leaf - 1].path.front())
      units_.push_back({variable, leaf, 0, members[member].word});
    ++units_.back().leaf_count;
  }
}

void InterfaceModel::add_slots(std::size_t variable) {
  const auto& leaves = variables_[variable].leaves;
  for (std::size_t leaf = 0; leaf < leaves.size(); ++leaf) {
    for (std::uint32_t component = 0; component < leaves[leaf].count; ++component) {
      varyings::Slot slot = leaves[leaf].slot_of(component);
      slots_[slot].push_back({variable, leaf, component});
      if (leaves[leaf].slots_per_component() == 1) continue;
      ++slot.component;
      slots_[slot].push_back({variable, leaf, component});
    }
  }
}

const SlotUse* InterfaceModel::find(varyings::Slot slot, const Leaf& like) const {
  const auto found = slots_.find(slot);
  if (found == slots_.end()) return nullptr;
  const SlotUse* best = nullptr;
  int best_score = -1;
  for (const SlotUse& use : found->second) {
    const Leaf& candidate = leaf(use);
    const int score = (candidate.patch == like.patch) * 4 + (candidate.per_primitive == like.per_primitive) * 2 +
                      (candidate.stream == 0);
    if (score <= best_score) continue;
    best = &use;
    best_score = score;
  }
  return best;
}

const Unit* InterfaceModel::unit_of(const SlotUse& use) const {
  for (const Unit& unit : units_)
    if (unit.variable == use.variable && use.leaf >= unit.first_leaf && use.leaf < unit.first_leaf + unit.leaf_count)
      return &unit;
  return nullptr;
}

TypeMatch match_types(const Module& a, Id type_a, const Module& b, Id type_b) {
  return match_below(a, type_a, b, type_b, 0);
}

bool same_type(const Module& a, Id type_a, const Module& b, Id type_b) {
  return match_types(a, type_a, b, type_b) == TypeMatch::same;
}

std::string type_text(const Leaf& leaf) {
  if (leaf.count == 1) return varyings::text(leaf.scalar);
  return vector_prefix(leaf.scalar) + "vec" + std::to_string(leaf.count);
}

std::string describe(const Leaf& leaf) {
  return (leaf.name.empty() ? std::string() : "'" + leaf.name + "' ") + "(" + type_text(leaf) + ")";
}

}  // namespace varylink::link
