// What an evaluation shader interpolates over a quad or along a line: sums whose weights are linear in each of the
// first two components of TessCoord, however they are written.
//   mix(mix(a, b, c.x), mix(d, e, c.x), c.y)    a + c.x * (b - a)    a * (1 - c.x) * (1 - c.y) + ...
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "link/values/patch_values.h"

namespace varylink::link {

// A function of u and v, linear in each: its values where (u, v) is (0, 0), (1, 0), (0, 1), (1, 1). Whole numbers.
using Bilinear = std::array<int, 4>;
inline constexpr Bilinear kOne = {1, 1, 1, 1};

// Values as sums of other values, each with such a weight. kNoValue stands for the number one.
class BilinearForms {
 public:
  // Ascending by value; no weight is zero everywhere.
  using Form = std::vector<std::pair<graph::ValueId, Bilinear>>;

  // Two values that `go_together` may be terms of one sum; a value always goes with itself. What is no such sum is one
  // of itself alone, with weight one.
  BilinearForms(const PatchValues& values, const std::function<bool(graph::ValueId, graph::ValueId)>& go_together);

  const Form& operator[](graph::ValueId value) const { return forms_[value]; }

  // The weights are those of one value at each corner: that value, by corner.
  static std::optional<std::array<graph::ValueId, 4>> corners(const Form& form);

 private:
  using GoTogether = std::function<bool(graph::ValueId, graph::ValueId)>;
  Form read(const PatchValues& values, graph::ValueId id, const GoTogether& go_together) const;
  std::optional<Form> operation(const graph::Value& value, const GoTogether& go_together) const;

  std::vector<Form> forms_;  // by value
};

}  // namespace varylink::link
