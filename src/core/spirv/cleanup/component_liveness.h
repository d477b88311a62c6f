// Which components of each value are needed. Looks through composites backward, from uses to constituents;
// fold_composites() goes forward and stops where a part of a construct is used by something else. A product needs the
// parts of its matrices that go into its needed components: (m * v).z one row, (v * m).z one column.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <vector>

#include "spirv/ir/scalar_view.h"

namespace varylink::spirv {

// Backward data flow from instructions with effects (stores, control flow, calls) over a whole module. A snapshot.
class ComponentLiveness {
 public:
  // Bit i: component i of a vector or scalar; bit 4 * c + r: of a matrix, row r of column c; all bits for other values.
  using Mask = std::uint32_t;
  static constexpr Mask kAll = 0xffffffffu;

  explicit ComponentLiveness(const Module& module);

  // 0 if the value is not needed.
  Mask of(Id value) const { return value < live_.size() ? live_[value] : kAll; }

  // The mask of a value of this type that is needed as a whole.
  static Mask whole(const Module& module, Id type);

 private:
  void need(Id value, Mask mask);
  void need_operands(InstRef inst, Mask mask = kAll);
  void spread(Id value);
  void spread_arranged(InstRef def, Mask mask);
  bool spread_product(InstRef def, Mask mask);
  bool spread_cross(InstRef def, Mask mask);
  void need_factors(InstRef def, Mask left, Mask right);
  bool is_exact(InstRef def);

  const Module& module_;
  std::optional<std::set<Id>>
      exact_;                       // results that are computed as they are written; made when the first is asked for
  std::vector<Mask> live_, whole_;  // by value; of `whole_` those that were asked for, else 0
  std::vector<Id> work_;
  std::vector<Scalar> scalars_;  // of the value that is looked at
};

}  // namespace varylink::spirv
