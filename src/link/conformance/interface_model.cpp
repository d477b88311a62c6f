#include "link/conformance/interface_model.h"

#include "varyings/reflect/decoration_index.h"

namespace varylink::link {
namespace {

using io::Leaf;
using spirv::Id;
using spirv::Module;

constexpr int kMaxTypeDepth = 64;

bool is_block(const Module& module, const io::DecorationIndex& decorations, Id type) {
  return module.def_op(type) == spv::Op::OpTypeStruct && decorations.of(type).has(spv::Decoration::Block);
}

bool same_type_below(const Module& a, Id type_a, const Module& b, Id type_b, int depth) {
  const spv::Op op = a.def_op(type_a);
  if (op != b.def_op(type_b) || depth > kMaxTypeDepth) return false;
  const auto in_a = a.operands(a.def(type_a));
  const auto in_b = b.operands(b.def(type_b));
  if (in_a.size() != in_b.size()) return false;
  if (op == spv::Op::OpTypeArray) {
    const auto length = io::array_length(a, type_a);
    return length && length == io::array_length(b, type_b) &&
           same_type_below(a, in_a[0].word, b, in_b[0].word, depth + 1);
  }
  for (std::size_t i = 0; i < in_a.size(); ++i) {
    if (in_a[i].is_id ? !same_type_below(a, in_a[i].word, b, in_b[i].word, depth + 1) : in_a[i].word != in_b[i].word)
      return false;
  }
  return true;
}

std::string vector_prefix(io::ScalarType scalar) {
  const bool narrow = scalar.width != 32;
  switch (scalar.kind) {
    case io::ScalarKind::floating: return scalar.width == 64 ? "d" : narrow ? "f" + std::to_string(scalar.width) : "";
    case io::ScalarKind::sint: return narrow ? "i" + std::to_string(scalar.width) : "i";
    case io::ScalarKind::uint: return narrow ? "u" + std::to_string(scalar.width) : "u";
    case io::ScalarKind::boolean: return "b";
  }
  return "";
}

}  // namespace

Result<StageView> view_of(const Module& module, Stage stage, const std::string& entry_name, const std::string& file) {
  auto entry = io::find_entry(module, stage, entry_name, file);
  if (!entry) return entry.error();
  return StageView{&module, std::move(*entry), file};
}

InterfaceModel::InterfaceModel(const StageView& stage, io::Direction direction)
    : stage_(stage), variables_(io::interface_variables(*stage.module, stage.entry, direction)) {
  accesses_ = io::analyze_access(*stage.module, stage.entry, variables_);
  const io::DecorationIndex decorations(*stage.module);
  for (std::size_t variable = 0; variable < variables_.size(); ++variable) {
    add_units(variable, is_block(*stage.module, decorations, variables_[variable].element_type));
    add_slots(variable);
  }
}

void InterfaceModel::add_units(std::size_t variable, bool block) {
  const io::InterfaceVariable& declared = variables_[variable];
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
      io::Slot slot = leaves[leaf].slot_of(component);
      slots_[slot].push_back({variable, leaf, component});
      if (leaves[leaf].slots_per_component() == 1) continue;
      ++slot.component;
      slots_[slot].push_back({variable, leaf, component});
    }
  }
}

const SlotUse* InterfaceModel::find(io::Slot slot, const Leaf& like) const {
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

bool same_type(const Module& a, Id type_a, const Module& b, Id type_b) {
  return same_type_below(a, type_a, b, type_b, 0);
}

std::string type_text(const Leaf& leaf) {
  if (leaf.count == 1) return io::text(leaf.scalar);
  return vector_prefix(leaf.scalar) + "vec" + std::to_string(leaf.count);
}

std::string describe(const Leaf& leaf) {
  return (leaf.name.empty() ? std::string() : "'" + leaf.name + "' ") + "(" + type_text(leaf) + ")";
}

}  // namespace varylink::link
