// Which values an index can have, as far as the code that computes it tells. Sets of a few numbers, from code that is
// not scalarized yet, loop counters included.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "spirv/ir/module.h"
#include "varyings/reflect/interface_variable.h"

namespace varylink::varyings {

// Reads indices of one module, which must outlive this object and whose code must not change meanwhile.
class IndexValues {
 public:
  IndexValues(const spirv::Module& module, const Entry& entry);
  ~IndexValues();

  // The elements of an array with `count` elements that `index` (a 32-bit integer; any other type counts as unknown)
  // may select, in order; all of them if nothing is known (rule ). An index outside of the array is undefined and
  // left out. Looks through masks, remainders, min, max, clamp, sums, choices, counters and the number of the
  // invocation. An index that would take more than kMaxSteps counts as unknown.
  std::vector<std::uint32_t> of(spirv::Id index, std::uint32_t count);

  static constexpr std::uint64_t kMaxSteps = 1 << 16;
  // Values looked at and numbers collected since this object was made.
  std::uint64_t steps() const;

 private:
  class Reader;
  std::unique_ptr<Reader> reader_;
};

}  // namespace varylink::varyings
