#include "link/model/report_model.h"

#include <algorithm>
#include <map>

namespace varylink::link {

std::string_view name_of(Outcome outcome) {
  switch (outcome) {
    case Outcome::kept: return "kept";
    case Outcome::dead: return "dead";
    case Outcome::constant: return "constant";
    case Outcome::uniform: return "uniform";
    case Outcome::duplicate: return "duplicate";
    case Outcome::moved: return "moved";
  }
  return "kept";
}

std::uint32_t InterfaceReport::count(Outcome outcome) const {
  return static_cast<std::uint32_t>(
      std::count_if(components.begin(), components.end(),
                    [outcome](const ComponentRecord& record) { return record.outcome == outcome; }));
}

std::string InterfaceReport::stage_pair() const {
  return std::string(short_name(producer)) + "->" + std::string(short_name(consumer));
}

void InterfaceReport::follow_duplicates() {
  std::map<varyings::Slot, const ComponentRecord*> by_old_slot;
  for (const ComponentRecord& record : components) by_old_slot.emplace(record.old_slot, &record);
  std::vector<ComponentRecord> followed = components;
  for (ComponentRecord& record : followed) {
    const ComponentRecord* carrier = &record;
    for (std::size_t step = 0; carrier->outcome == Outcome::duplicate && step < components.size(); ++step) {
      const auto next = by_old_slot.find(carrier->new_slot.value_or(carrier->old_slot));
      if (next == by_old_slot.end()) break;
      carrier = next->second;
    }
    if (record.outcome != Outcome::duplicate || carrier->outcome == Outcome::duplicate) continue;
    record.new_slot = carrier->new_slot;
    if (carrier->outcome == Outcome::kept) continue;
    record.outcome = carrier->outcome;
    record.reason += ", of which: " + carrier->reason;
  }
  components = std::move(followed);
}

}  // namespace varylink::link
