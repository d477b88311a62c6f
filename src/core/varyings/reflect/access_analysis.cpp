#include "varyings/reflect/access_analysis.h"

#include <algorithm>
#include <cstdint>
#include <deque>
#include <optional>
#include <unordered_set>

#include "spirv/ir/call_tree.h"
#include "spirv/ir/globals.h"
#include "spirv/ir/pointer_uses.h"
#include "spirv/ir/uses.h"

namespace varylink::varyings {
namespace {

using spirv::Id;
using spirv::InstRef;
using spirv::Module;
using spirv::Operand;

constexpr std::uint8_t kAllComponents = 0xf;

// Steps from the variable to the thing a pointer or a loaded value stands for; none for an index that is not constant.
using IndexPath = std::vector<std::optional<std::uint32_t>>;

// A pointer into, or a value loaded from, one of the variables.
struct Place {
  std::size_t variable = 0;
  IndexPath path;
  bool loaded = false;
};

class Analysis {
 public:
  Analysis(const Module& module, const std::vector<InterfaceVariable>& variables);
  // `is_certain`: the instruction stands under no condition and in no loop.
  void visit(InstRef inst, bool is_certain);
  // A phi used a value in front of the code that computes it.
  bool missed_uses() const;
  std::vector<VariableAccess> take() { return std::move(accesses_); }

 private:
  enum class Way { read, write, both };

  void touch(const Place& place, Way way, std::uint8_t components = kAllComponents);
  void touch_leaf(const Place& place, std::size_t leaf, Way way, std::uint8_t components);
  const Place* place_of(const Operand& operand) const;
  void set_place(Id id, Place place);
  void visit_pointer_use(InstRef inst, const Place& place, std::uint32_t position);
  void visit_value_use(InstRef inst, const Place& place, std::uint32_t position);
  void extend(InstRef inst, const Place& place, std::uint32_t first, bool literal_indices);

  const Module& module_;
  const std::vector<InterfaceVariable>& variables_;
  std::vector<VariableAccess> accesses_;
  std::vector<std::uint32_t> place_numbers_;  // by id, counted from one; 0: none
  std::deque<Place> places_;
  std::vector<Id> awaited_;  // by phis, when they were visited
  bool is_certain_ = true;
};

Analysis::Analysis(const Module& module, const std::vector<InterfaceVariable>& variables)
    : module_(module), variables_(variables), place_numbers_(module.bound, 0) {
  for (std::size_t i = 0; i < variables.size(); ++i) {
    accesses_.push_back({variables[i].id, std::vector<LeafAccess>(variables[i].leaves.size())});
    set_place(variables[i].id, Place{i, {}, false});
    if (spirv::has_initializer(module, variables[i].id)) touch(places_.back(), Way::write);
  }
}

void Analysis::set_place(Id id, Place place) {
  std::uint32_t& number = place_numbers_[id];
  if (number != 0) {
    places_[number - 1] = std::move(place);
    return;
  }
  places_.push_back(std::move(place));
  number = static_cast<std::uint32_t>(places_.size());
}

void Analysis::touch(const Place& place, Way way, std::uint8_t components) {
  for (std::size_t leaf = 0; leaf < variables_[place.variable].leaves.size(); ++leaf)
    touch_leaf(place, leaf, way, components);
}

// A leaf is touched if its path and the place's path agree as far as both go. A place that goes one step further
// selects a component.
void Analysis::touch_leaf(const Place& place, std::size_t leaf, Way way, std::uint8_t components) {
  const Leaf& target = variables_[place.variable].leaves[leaf];
  const std::size_t skip = variables_[place.variable].arrayed ? 1 : 0;  // the vertex index
  for (std::size_t i = 0; i < target.path.size() && i + skip < place.path.size(); ++i)
    if (place.path[i + skip] && *place.path[i + skip] != target.path[i]) return;
  if (place.path.size() > target.path.size() + skip) {
    const auto component = place.path[target.path.size() + skip];
    components = component ? static_cast<std::uint8_t>(1u << (*component & 3)) : kAllComponents;
  }
  components &= static_cast<std::uint8_t>((1u << target.count) - 1);
  LeafAccess& access = accesses_[place.variable].leaves[leaf];
  if (way != Way::write) access.read |= components;
  if (way == Way::read) return;
  access.written |= components;
  const auto is_known = [](const std::optional<std::uint32_t>& index) { return index.has_value(); };
  const auto first = place.path.begin() + static_cast<std::ptrdiff_t>(std::min(skip, place.path.size()));
  if (is_certain_ && std::all_of(first, place.path.end(), is_known)) access.certain |= components;
}

const Place* Analysis::place_of(const Operand& operand) const {
  if (!operand.is_id || operand.word >= place_numbers_.size()) return nullptr;
  const std::uint32_t number = place_numbers_[operand.word];
  return number == 0 ? nullptr : &places_[number - 1];
}

// Registers the result of an access chain or an extraction: the base's place and the indices from `first` on.
void Analysis::extend(InstRef inst, const Place& place, std::uint32_t first, bool literal_indices) {
  Place inner = place;
  const auto operands = module_.operands(inst);
  for (std::size_t i = first; i < operands.size(); ++i) {
    std::optional<std::uint32_t> index;
    if (literal_indices)
      index = operands[i].word;
    else if (const auto value = constant_int(module_, operands[i].word); value && *value >= 0 && *value < 0xffffffffll)
      index = static_cast<std::uint32_t>(*value);
    inner.path.push_back(index);
  }
  set_place(module_[inst].result, std::move(inner));
}

void Analysis::visit_pointer_use(InstRef inst, const Place& place, std::uint32_t position) {
  switch (module_[inst].op) {
    case spv::Op::OpAccessChain:
    case spv::Op::OpInBoundsAccessChain: return extend(inst, place, 1, false);
    case spv::Op::OpCopyObject: return extend(inst, place, 1, true);
    case spv::Op::OpLoad: {
      Place value = place;
      value.loaded = true;
      set_place(module_[inst].result, std::move(value));
      return;
    }
    default: break;
  }
  switch (spirv::pointer_use(module_, inst, position)) {
    case spirv::PointerUse::none: return;
    case spirv::PointerUse::read: return touch(place, Way::read);
    case spirv::PointerUse::write: return touch(place, Way::write);
    case spirv::PointerUse::both:
    case spirv::PointerUse::unknown: return touch(place, Way::both);
  }
}

void Analysis::visit_value_use(InstRef inst, const Place& place, std::uint32_t position) {
  const auto operands = module_.operands(inst);
  switch (module_[inst].op) {
    case spv::Op::OpCompositeExtract: return extend(inst, place, 1, true);
    case spv::Op::OpVectorShuffle: {
      const std::uint32_t shift = position == 0 ? 0 : [&] {
        const auto first = module_.operands(module_.def(module_.type_of(operands[0].word)));
        return first.size() > 1 ? first[1].word : 0u;
      }();
      std::uint8_t components = 0;
      for (std::size_t i = 2; i < operands.size(); ++i)
        if (operands[i].word >= shift && operands[i].word - shift < 4)
          components |= static_cast<std::uint8_t>(1u << (operands[i].word - shift));
      // The other operand's components may be among these if this is the first one: harmless, it only says more.
      return touch(place, Way::read, components);
    }
    default: return touch(place, Way::read);
  }
}

bool Analysis::missed_uses() const {
  return std::any_of(awaited_.begin(), awaited_.end(),
                     [&](Id id) { return id < place_numbers_.size() && place_numbers_[id] != 0; });
}

void Analysis::visit(InstRef inst, bool is_certain) {
  is_certain_ = is_certain;
  if (spirv::is_debug_inst(module_, inst)) return;
  const bool is_phi = module_[inst].op == spv::Op::OpPhi;
  const auto operands = module_.operands(inst);
  for (std::uint32_t i = 0; i < operands.size(); ++i) {
    const Place* found = place_of(operands[i]);
    if (!found && is_phi) awaited_.push_back(operands[i].word);
    if (!found) continue;
    if (found->loaded)
      visit_value_use(inst, *found, i);
    else
      visit_pointer_use(inst, *found, i);
  }
}

}  // namespace

std::vector<VariableAccess> analyze_access(const Module& module, const Entry& entry,
                                           const std::vector<InterfaceVariable>& variables) {
  Analysis analysis(module, variables);
  const std::vector<Id> functions = spirv::call_tree(module, {entry.function});
  const std::vector<const spirv::Block*> unconditional = spirv::unconditional_blocks(module, entry.function);
  const std::unordered_set<const spirv::Block*> certain(unconditional.begin(), unconditional.end());  // never iterated
  const auto visit_all = [&] {
    for (const Id function : functions) {
      const spirv::Function* body = module.function(function);
      if (!body) continue;
      for (const spirv::Block& block : body->blocks) {
        const bool is_certain = certain.count(&block) != 0;
        for (const InstRef inst : block.body) analysis.visit(inst, is_certain);
      }
    }
  };
  visit_all();
  if (analysis.missed_uses()) visit_all();
  return analysis.take();
}

}  // namespace varylink::varyings
