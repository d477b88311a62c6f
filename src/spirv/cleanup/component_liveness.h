// Which components of each value somebody needs. Looks through composites backward, from uses to what they are made of;
// fold_composites() goes forward and stops where a part of a construct is used by something else.
#pragma once

#include <cstdint>
#include <vector>

#include "spirv/ir/module.h"

namespace varylink::spirv {

// Backward data flow from what has effects (stores, control flow, calls) over a whole module. A snapshot.
class ComponentLiveness {
 public:
  using Mask = std::uint32_t;  // bit i: component i of a vector; all bits for what is no vector
  static constexpr Mask kAll = 0xffffffffu;

  explicit ComponentLiveness(const Module& module);

  // 0 if nobody needs the value.
  Mask of(Id value) const { return value < live_.size() ? live_[value] : kAll; }

 private:
  void need(Id value, Mask mask);
  void need_operands(InstRef inst, Mask mask = kAll);
  void spread(Id value);
  void spread_extract(InstRef def);
  void spread_construct(InstRef def, Mask mask);
  void spread_insert(InstRef def, Mask mask);
  void spread_shuffle(InstRef def, Mask mask);

  const Module& module_;
  std::vector<Mask> live_;
  std::vector<Id> work_;
};

}  // namespace varylink::spirv
