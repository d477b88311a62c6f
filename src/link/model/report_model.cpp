#include "link/model/report_model.h"

#include <algorithm>
#include <map>

namespace varylink::link {

std::string_view name_of(Fate fate) {
  switch (fate) {
    case Fate::kept: return "kept";
    case Fate::dead: return "dead";
    case Fate::constant: return "constant";
    case Fate::uniform: return "uniform";
    case Fate::duplicate: return "duplicate";
    case Fate::moved: return "moved";
  }
  return "kept";
}

std::uint32_t InterfaceReport::count(Fate fate) const {
  return static_cast<std::uint32_t>(std::count_if(
      components.begin(), components.end(), [fate](const ComponentRecord& record) { return record.fate == fate; }));
}

void InterfaceReport::follow_duplicates() {
  std::map<varyings::Slot, const ComponentRecord*> by_old_slot;
  for (const ComponentRecord& record : components) by_old_slot.emplace(record.old_slot, &record);
  std::vector<ComponentRecord> followed = components;
  for (ComponentRecord& record : followed) {
    const ComponentRecord* carrier = &record;
    for (std::size_t step = 0; carrier->fate == Fate::duplicate && step < components.size(); ++step) {
      const auto next = by_old_slot.find(carrier->new_slot.value_or(carrier->old_slot));
      if (next == by_old_slot.end()) break;
      carrier = next->second;
    }
    if (record.fate != Fate::duplicate || carrier->fate == Fate::duplicate) continue;
    record.new_slot = carrier->new_slot;
    if (carrier->fate == Fate::kept) continue;
    record.fate = carrier->fate;
    record.reason += ", of which: " + carrier->reason;
  }
  components = std::move(followed);
}

}  // namespace varylink::link
