#include "passes/packing/packed_variables.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "link/values/interpolated_reads.h"
#include "link/values/slot_values.h"
#include "spirv/ir/module.h"

namespace varylink::passes {
namespace {

using link::find_varying;
using link::LinkedStage;
using varyings::Slot;
using varyings::Varying;

// The producers that have the slot, as positions in the list. Components that not the same producers have may not share
// a variable: some producer would declare more than it has.
std::vector<std::size_t> owners_of(const link::Link& link, Slot slot) {
  std::vector<std::size_t> owners;
  for (std::size_t i = 0; i < link.producers.size(); ++i)
    if (find_varying(link.producers[i]->outputs, slot)) owners.push_back(i);
  return owners;
}

// "uv" for uv.x and uv.y; "uv_fog" for components of two variables; shortened where there are many.
std::string joined_name(const std::vector<const Varying*>& members) {
  std::string name, last;
  for (const Varying* member : members) {
    std::string base = member->name.substr(0, member->name.rfind('.'));
    for (char& c : base)
      if (c == '.' || c == '[' || c == ']') c = '_';
    if (base.empty() || base == last || name.size() > 40) continue;
    name += (name.empty() ? "" : "_") + base;
    last = base;
  }
  return name;
}

class VariableBuilder {
 public:
  VariableBuilder(const std::map<Slot, Varying>& all, const Separation& separation, const Packing& packing)
      : separation_(separation), packing_(packing) {
    for (const auto& [old_slot, varying] : all) {
      if (varying.form != Varying::Form::scalar) continue;
      const Slot place = packing.placement.at(old_slot);
      by_place_.emplace(place, &varying);
      const auto [entry, is_new] = first_in_.emplace(place.location, &varying);
      if (!is_new && entry->second->scalar != varying.scalar) mixed_.insert(place.location);
    }
  }

  std::vector<varyings::PackedVariable> run() {
    std::vector<const Varying*> members;
    std::optional<Slot> start, next;
    for (const auto& [place, varying] : by_place_) {
      if (!members.empty() && (place != *next || !separation_.may_join(*varying, *members.front())))
        finish(*start, members);
      if (members.empty()) start = place;
      members.push_back(varying);
      next = Slot{place.location, place.component + varying->component_count};
    }
    if (!members.empty()) finish(*start, members);
    return std::move(packed_);
  }

 private:
  void finish(Slot start, std::vector<const Varying*>& members) {
    varyings::PackedVariable variable;
    variable.slot = start;
    variable.scalar = members.front()->scalar;
    variable.qualifiers = *members.front();
    for (const Varying* member : members)
      if (!member->relaxed_precision) variable.qualifiers.relaxed_precision = false;
    if (mixed_.count(start.location) != 0) {
      variable.scalar.kind = varyings::ScalarKind::uint;
      // Less precision would cut bits off that are not those of a number.
      variable.qualifiers.relaxed_precision = false;
    }
    const auto chosen = packing_.interpolation.find(members.front()->slot);
    if (chosen != packing_.interpolation.end()) variable.qualifiers.interpolation = chosen->second;
    const auto seat = packing_.seats.find(members.front()->slot);
    if (seat != packing_.seats.end()) variable.array = seat->second.array;
    variable.name = joined_name(members);
    for (const Varying* member : members) variable.members.push_back(member->slot);
    packed_.push_back(std::move(variable));
    members.clear();
  }

  const Separation& separation_;
  const Packing& packing_;
  std::map<Slot, const Varying*> by_place_;
  std::map<std::uint32_t, const Varying*> first_in_;  // by location
  std::set<std::uint32_t> mixed_;                     // locations of several types
  std::vector<varyings::PackedVariable> packed_;
};

}  // namespace

Separation::Separation(const link::Link& link, const std::map<Slot, Varying>& all)
    : link_(link), stored_in_(store_blocks(link, all)), interpolated_(link::find_interpolated_reads(link).anywhere) {}

Separation::StoreBlocks Separation::store_blocks(const link::Link& link, const std::map<Slot, Varying>& all) {
  StoreBlocks blocks;
  for (const auto& [slot, varying] : all)
    if (varying.patch) blocks[slot];
  if (blocks.empty()) return blocks;
  for (std::size_t i = 0; i < link.producers.size(); ++i) {
    const link::StoreTable table(*link.producers[i]);
    const std::vector<spirv::Place> places = spirv::places_of(link.producers[i]->module);
    for (auto& [slot, list] : blocks)
      if (const link::SlotStores* stores = table.find(slot))
        for (const link::SlotStore& store : stores->stores) {
          const spirv::Place& place = places[store.inst.index];
          list.emplace_back(i, place.function, place.block);
        }
  }
  return blocks;
}

bool Separation::may_join(const Varying& a, const Varying& b) const {
  // An InterpolateAt instruction reads all of its variable, and loads of that cannot be done after it
  // (varyings/lower/lower.cpp).
  if (interpolated_.count(a.slot) != interpolated_.count(b.slot)) return false;
  if (a.patch && stored_in_.at(a.slot) != stored_in_.at(b.slot)) return false;
  return link_.producers.size() == 1 || owners_of(link_, a.slot) == owners_of(link_, b.slot);
}

namespace {

// Of one group whatever interpolation is chosen for them.
bool are_alike_but_for_interpolation(PackKey a, const PackKey& b) {
  a.interpolation = b.interpolation;
  return a == b;
}

}  // namespace

std::vector<PlacementItem> Separation::grouped(const std::map<Slot, Varying>& all, std::vector<PlacementItem> items,
                                               bool by_precision) const {
  std::vector<const PlacementItem*> firsts;  // scalars, one of each group
  std::uint32_t groups = 0;
  for (PlacementItem& item : items) {
    const auto found = std::find_if(firsts.begin(), firsts.end(), [&](const PlacementItem* first) {
      return item.form == Varying::Form::scalar && are_alike_but_for_interpolation(item.key, first->key) &&
             (!by_precision || item.relaxed == first->relaxed) && may_join(all.at(item.slot), all.at(first->slot));
    });
    item.group = found != firsts.end() ? (*found)->group : ++groups;
    if (found == firsts.end() && item.form == Varying::Form::scalar) firsts.push_back(&item);
  }
  return items;
}

std::vector<varyings::PackedVariable> packed_variables(const std::map<Slot, Varying>& all, const Separation& separation,
                                                       const Packing& packing) {
  return VariableBuilder(all, separation, packing).run();
}

}  // namespace varylink::passes
