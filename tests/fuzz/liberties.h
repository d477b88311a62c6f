// What compilers are permitted to do, done so that it shows: whatever stage does with a permission that the original
// did not give it is seen in the picture.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace varylink::fuzz {

// The module with other results of what may be computed otherwise: of the opposite sign where an operation has a
// permission (RelaxedPrecision, NoSignedWrap, NoUnsignedWrap), and with a larger rounding where a sum takes a product
// that neither of them keeps apart (NoContraction).
std::vector<std::uint32_t> with_liberties(const std::vector<std::uint32_t>& words);

// How many operations of the module have literals only, and no defined result for these (rule ).
std::size_t count_undefined_operations(const std::vector<std::uint32_t>& words);

}  // namespace varylink::fuzz
