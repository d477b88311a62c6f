// The varyings of a list by their slots, for who asks about all of them: looking each of them up in the list takes its
// length by its square. A snapshot: the list may not change while it is in use.
#pragma once

#include <map>
#include <vector>

#include "link/model/link.h"

namespace varylink::link {

class VaryingIndex {
 public:
  explicit VaryingIndex(const std::vector<varyings::Varying>& varyings) {
    for (const varyings::Varying& varying : varyings) places_.try_emplace(varying.slot, &varying);
  }

  // Returns the same as find_varying().
  const varyings::Varying* find(varyings::Slot slot) const {
    const auto place = places_.find(slot);
    return place == places_.end() ? nullptr : place->second;
  }

 private:
  std::map<varyings::Slot, const varyings::Varying*> places_;
};

// Of all stages of an interface, in the order of its lists.
struct VaryingIndices {
  std::vector<VaryingIndex> producers, consumers;

  explicit VaryingIndices(const Link& link) {
    for (const LinkedStage* producer : link.producers) producers.emplace_back(producer->outputs);
    for (const LinkedStage* consumer : link.consumers) consumers.emplace_back(consumer->inputs);
  }
};

}  // namespace varylink::link
