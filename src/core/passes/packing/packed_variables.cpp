#include "passes/packing/packed_variables.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

#include "base/seeded_fault.h"
#include "link/values/interpolated_reads.h"
#include "varyings/reflect/output_owner.h"
#include "varyings/vectorize/whole_accesses.h"

namespace varylink::passes {
namespace {

using link::LinkedStage;
using varyings::Slot;
using varyings::Varying;

// How the producers have a component.
struct Outputs {
  std::vector<std::size_t> store_sets;  // by producer
  // Positions of those that have it, of several. Components that not the same producers have may not share a variable:
  // some producer would declare more than it has.
  std::vector<std::size_t> owners;
  friend auto operator<=>(const Outputs&, const Outputs&) = default;
};

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
      if (!varying.semantic.empty()) ++with_semantic_[varying.semantic];
      if (varying.form != Varying::Form::scalar) {
        names_.insert(varying.name);
        continue;
      }
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
      if (!members.empty() && (place != *next || !joins_all(*varying, members))) finish(*start, members);
      if (members.empty()) start = place;
      members.push_back(varying);
      next = Slot{place.location, place.component + varying->component_count};
    }
    if (!members.empty()) finish(*start, members);
    return std::move(packed_);
  }

 private:
  bool joins_all(const Varying& varying, const std::vector<const Varying*>& members) const {
    return std::all_of(members.begin(), members.end(),
                       [&](const Varying* member) { return separation_.may_join(varying, *member); });
  }

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
    variable.name = own_name(members, start);
    variable.qualifiers.semantic = semantic_of(members, start);
    for (const Varying* member : members) variable.members.push_back(member->slot);
    packed_.push_back(std::move(variable));
    members.clear();
  }

  // Languages without locations match by name, so that each variable needs one of its own.
  std::string own_name(const std::vector<const Varying*>& members, Slot start) {
    std::string name = joined_name(members);
    if (!name.empty() && !names_.insert(name).second) {
      name += "_at" + std::to_string(start.location) +
              (start.component == 0 ? "" : std::string(1, "xyzw"[start.component]));
      names_.insert(name);
    }
    return name;
  }

  // That of the source where it is the only one in the variable, and nowhere else; else one made of the place, which no
  // source has.
  std::string semantic_of(const std::vector<const Varying*>& members, Slot start) const {
    std::map<std::string, std::size_t> found;
    for (const Varying* member : members)
      if (!member->semantic.empty()) ++found[member->semantic];
    if (found.empty()) return {};
    const auto& [semantic, count] = *found.begin();
    if (found.size() == 1 && with_semantic_.at(semantic) == count) return semantic;
    const std::string part = start.component == 0 ? "" : std::string(1, "XYZW"[start.component]);
    return "VARYLINK" + part + std::to_string(start.location);
  }

  const Separation& separation_;
  const Packing& packing_;
  std::set<std::string> names_;
  std::map<std::string, std::size_t> with_semantic_;  // how many components have it
  std::map<Slot, const Varying*> by_place_;
  std::map<std::uint32_t, const Varying*> first_in_;  // by location
  std::set<std::uint32_t> mixed_;                     // locations of several types
  std::vector<varyings::PackedVariable> packed_;
};

}  // namespace

StoreSets::StoreSets(const LinkedStage& producer) {
  const spirv::Uses uses(producer.module);
  const varyings::CodePlaces places = varyings::number_code(producer.module);
  std::vector<std::vector<varyings::PackedMember>> shared;  // sets of what has several owners
  for (const Varying& output : producer.outputs) {
    if (output.form != Varying::Form::scalar) continue;
    varyings::PackedMember member{&output, 0, varyings::accesses_of(producer.module, uses, output.variable)};
    if (varyings::has_one_owner(producer.module, producer.stage, !output.patch, member.accesses) ||
        seeded_fault("pack-joins-invocations"))
      continue;
    const auto takes_member = [&](std::vector<varyings::PackedMember>& set) {
      set.push_back(member);
      const bool fits = varyings::are_stored_as_one(producer.module, places, set);
      if (!fits) set.pop_back();
      return fits;
    };
    const auto found = std::find_if(shared.begin(), shared.end(), takes_member);
    sets_.emplace(output.slot, found - shared.begin() + 1);
    if (found == shared.end()) shared.push_back({std::move(member)});
  }
}

std::size_t StoreSets::set_of(Slot slot) const {
  const auto found = sets_.find(slot);
  return found == sets_.end() ? 0 : found->second;
}

Separation::Separation(const link::Link& link) : interpolated_(link::find_interpolated_reads(link).anywhere) {
  const std::size_t count = link.producers.size();
  const Outputs of_nobody{std::vector<std::size_t>(count), {}};
  std::map<Slot, Outputs> outputs;
  for (std::size_t i = 0; i < count; ++i) {
    const StoreSets sets(*link.producers[i]);
    for (const Varying& varying : link.producers[i]->outputs) {
      Outputs& known = outputs.try_emplace(varying.slot, of_nobody).first->second;
      known.store_sets[i] = sets.set_of(varying.slot);
      if (count > 1) known.owners.push_back(i);
    }
  }
  std::map<Outputs, std::size_t> numbers = {{of_nobody, 0}};
  for (auto& [slot, known] : outputs)
    output_classes_.emplace(slot, numbers.try_emplace(std::move(known), numbers.size()).first->second);
}

std::size_t Separation::output_class(Slot slot) const {
  const auto found = output_classes_.find(slot);
  return found == output_classes_.end() ? 0 : found->second;
}

bool Separation::may_join(const Varying& a, const Varying& b) const {
  // An InterpolateAt instruction reads all of its variable, and drivers of Mesa give what it read to loads behind it.
  // Ours stand in front (varyings/vectorize/vectorize_io.cpp), and where the input had both in one variable nothing
  // gets worse.
  if (interpolated_.count(a.slot) != interpolated_.count(b.slot) && a.slot.location != b.slot.location) return false;
  return output_class(a.slot) == output_class(b.slot);
}

// Groups of scalars that may all join (Separation::may_join), so many that they are not compared one by one.
class Separation::Groups {
 public:
  Groups(const Separation& separation, bool by_reading) : separation_(separation), by_reading_(by_reading) {}

  // Puts the item into the first group that takes it, or into one of its own with the number that it has.
  void add(PlacementItem& item) {
    const bool interpolated = separation_.interpolated_.count(item.slot) != 0;
    PackKey key = item.key;
    key.interpolation = {};  // it may still be chosen
    std::vector<Group>& groups =
        groups_[{key, separation_.output_class(item.slot), by_reading_ && item.relaxed, by_reading_ && interpolated}];
    const auto found = std::find_if(groups.begin(), groups.end(), [&](const Group& group) {
      const std::set<std::uint32_t>& others = group.locations[interpolated ? 0 : 1];
      return others.empty() || (others.size() == 1 && others.count(item.slot.location) != 0);
    });
    Group& group = found == groups.end() ? groups.emplace_back(Group{item.group, {}}) : *found;
    group.locations[interpolated ? 1 : 0].insert(item.slot.location);
    item.group = group.number;
  }

 private:
  struct Group {
    std::uint32_t number;
    // That members had; the second set is of those that an InterpolateAt instruction reads.
    std::array<std::set<std::uint32_t>, 2> locations;
  };
  using Key = std::tuple<PackKey, std::size_t, bool, bool>;  // output class, and by reading: relaxed, interpolated

  const Separation& separation_;
  const bool by_reading_;
  std::map<Key, std::vector<Group>> groups_;
};

std::vector<PlacementItem> Separation::grouped(std::vector<PlacementItem> items, bool by_reading) const {
  Groups groups(*this, by_reading);
  std::uint32_t count = 0;
  for (PlacementItem& item : items) {
    item.group = ++count;
    if (item.form == Varying::Form::scalar) groups.add(item);
  }
  return items;
}

std::vector<varyings::PackedVariable> packed_variables(const std::map<Slot, Varying>& all, const Separation& separation,
                                                       const Packing& packing) {
  return VariableBuilder(all, separation, packing).run();
}

}  // namespace varylink::passes
