// Replacements of ids, applied to all uses in the end.
#pragma once

#include <vector>

#include "spirv/ir/module.h"

namespace varylink::spirv {

class ReplacedIds {
 public:
  // The current replacement of the id: itself, if nothing replaces it. A replacement may be replaced later.
  Id current(Id value) const {
    while (value < by_.size() && by_[value] != 0) {
      Id& next = by_[value];
      if (next < by_.size() && by_[next] != 0) next = by_[next];  // chains get shorter by being followed
      value = next;
    }
    return value;
  }

  void replace(Id old_value, Id new_value, const Module& module) {
    if (old_value >= by_.size()) by_.resize(module.bound, 0);
    by_[old_value] = new_value;
  }

  // Replaces the ids in all code.
  void apply(Module& module) const;

 private:
  mutable std::vector<Id> by_;  // 0: the id stays
};

}  // namespace varylink::spirv
