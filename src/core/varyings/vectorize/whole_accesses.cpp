#include "varyings/vectorize/whole_accesses.h"

#include <algorithm>
#include <map>
#include <optional>

#include "spirv/ir/globals.h"
#include "spirv/ir/operations.h"

namespace varylink::varyings {
namespace {

using spirv::Id;
using spirv::InstRef;
using spirv::Module;
using Kind = PointerAccess::Kind;

// Behind these instructions the outputs that were stored before are seen by somebody else.
bool shows_stores(spv::Op op) { return op == spv::Op::OpFunctionCall || spirv::row_of(op).is(spirv::kShowsStores); }

// An index: equal keys are equal values, and different constants are different ones.
struct Index {
  std::optional<std::int64_t> constant;
  Id id = 0;  // 0: constant
  friend auto operator<=>(const Index&, const Index&) = default;
};

// An element of the array that the vector is an element of.
struct Element {
  std::vector<Index> indices;
  friend auto operator<=>(const Element&, const Element&) = default;

  bool is_constant() const {
    return std::all_of(indices.begin(), indices.end(), [](const Index& index) { return index.constant.has_value(); });
  }
};

Element element_of(const Module& module, const PointerAccess& access) {
  Element element;
  for (const Id id : access.indices) {
    const auto constant = constant_int(module, id);
    element.indices.push_back({constant, constant ? 0 : id});
  }
  return element;
}

class Grouper {
 public:
  Grouper(const Module& module, const CodePlaces& places, Direction direction)
      : module_(module), places_(places), is_input_(direction == Direction::input) {}

  std::vector<std::vector<MemberAccess>> run(const std::vector<MemberAccess>& accesses) {
    for (const MemberAccess& next : accesses) {
      const std::uint32_t place = place_of(next);
      if (place != place_) open_.clear();
      place_ = place;
      if (next.access->kind == Kind::store)
        add_store(next);
      else if (is_input_ && next.access->kind == Kind::load)
        add_to(element_of(module_, *next.access), next);
      else
        add_alone(next);
    }
    return std::move(groups_);
  }

 private:
  // Inputs are never written, so that only the end of the block ends a group.
  std::uint32_t place_of(const MemberAccess& access) const {
    return (is_input_ ? places_.block : places_.segment)[access.access->inst.index];
  }

  // A group takes its stores behind those of all groups that are open. They may be to the same element unless all
  // indices are constants.
  void add_store(const MemberAccess& next) {
    const Element element = element_of(module_, *next.access);
    const bool may_overlap = !element.is_constant() || (!open_.empty() && !open_.begin()->first.is_constant());
    if (may_overlap && open_.count(element) == 0) open_.clear();
    const auto found = open_.find(element);
    if (found != open_.end() && stores_to(groups_[found->second], next.member)) open_.erase(found);
    add_to(element, next);
  }

  static bool stores_to(const std::vector<MemberAccess>& group, const PackedMember* member) {
    return std::any_of(group.begin(), group.end(), [&](const MemberAccess& access) { return access.member == member; });
  }

  void add_to(const Element& element, const MemberAccess& next) {
    const auto [place, is_new] = open_.emplace(element, groups_.size());
    if (is_new) groups_.emplace_back();
    groups_[place->second].push_back(next);
  }

  // An output that is loaded.
  void add_alone(const MemberAccess& next) {
    open_.clear();
    groups_.push_back({next});
  }

  const Module& module_;
  const CodePlaces& places_;
  bool is_input_;
  std::uint32_t place_ = 0;
  std::map<Element, std::size_t> open_;  // -> which of groups_. Either all elements are constants or there is only one
  std::vector<std::vector<MemberAccess>> groups_;
};

bool is_store(const PointerAccess& access) { return access.kind == Kind::store; }

}  // namespace

bool PackedMember::is_stored() const {
  return std::any_of(accesses.accesses.begin(), accesses.accesses.end(), is_store);
}

CodePlaces number_code(const Module& module) {
  CodePlaces places;
  for (auto* list : {&places.order, &places.block, &places.segment}) list->assign(module.inst_count(), 0);
  std::uint32_t order = 0, block_number = 0, segment = 0;
  for (const spirv::Function& function : module.functions)
    for (const spirv::Block& block : function.blocks) {
      for (const InstRef inst : block.body) {
        places.order[inst.index] = order++;
        places.block[inst.index] = block_number;
        places.segment[inst.index] = segment;
        segment += shows_stores(module[inst].op) ? 1 : 0;
      }
      ++block_number;
      ++segment;
    }
  return places;
}

std::vector<std::vector<MemberAccess>> group_accesses(const Module& module, const CodePlaces& places,
                                                      const std::vector<PackedMember>& members, Direction direction) {
  std::vector<MemberAccess> accesses;
  for (const PackedMember& member : members)
    for (const PointerAccess& access : member.accesses.accesses) accesses.push_back({&member, &access});
  std::sort(accesses.begin(), accesses.end(), [&](const MemberAccess& a, const MemberAccess& b) {
    return places.order[a.access->inst.index] < places.order[b.access->inst.index];
  });
  return Grouper(module, places, direction).run(accesses);
}

bool stores_all(const std::vector<MemberAccess>& group, const std::vector<PackedMember>& members) {
  const auto stored =
      std::count_if(members.begin(), members.end(), [](const PackedMember& member) { return member.is_stored(); });
  return is_store(*group.front().access) && group.size() == static_cast<std::size_t>(stored);
}

bool are_stored_as_one(const Module& module, const CodePlaces& places, const std::vector<PackedMember>& members) {
  const auto groups = group_accesses(module, places, members, Direction::output);
  return std::all_of(members.begin(), members.end(), [](const PackedMember& member) { return member.is_stored(); }) &&
         std::all_of(groups.begin(), groups.end(), [&](const auto& group) { return stores_all(group, members); });
}

}  // namespace varylink::varyings
