// Faults that are put into the linker on purpose, to see whether the tests notice (tests/fuzz/mutation_check.py).
//
// Only a build with -DVARYLINK_SEEDED_FAULTS=ON has them; there the environment variable VARYLINK_FAULT names the one
// that is active. In every other build seeded_fault() is the constant false and the faulty code is not compiled in.
#pragma once

#include <string_view>

#ifdef VARYLINK_SEEDED_FAULTS
#include <cstdlib>
#endif

namespace varylink {

#ifdef VARYLINK_SEEDED_FAULTS
inline bool seeded_fault(std::string_view name) {
  static const char* const active = std::getenv("VARYLINK_FAULT");
  return active && name == active;
}
#else
constexpr bool seeded_fault(std::string_view) { return false; }
#endif

}  // namespace varylink
