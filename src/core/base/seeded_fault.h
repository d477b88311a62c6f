// Faults that are put into the linker on purpose, to see whether the tests notice (tests/fuzz/mutation_check.py).
//
// Only sources compiled with VARYLINK_SEEDED_FAULTS have them; there the environment variable VARYLINK_FAULT names the
// one that is active. In all others seeded_fault() is the constant false and the faulty code is not compiled in. The
// two are different functions, so that one program may have sources of both kinds.
#pragma once

#include <string_view>

#ifdef VARYLINK_SEEDED_FAULTS
#include <cstdlib>
#endif

namespace varylink {

#ifdef VARYLINK_SEEDED_FAULTS
inline namespace with_faults {
inline bool seeded_fault(std::string_view name) {
  static const char* const active = std::getenv("VARYLINK_FAULT");
  return active && name == active;
}
}  // namespace with_faults
#else
inline namespace without_faults {
constexpr bool seeded_fault(std::string_view) { return false; }
}  // namespace without_faults
#endif

}  // namespace varylink
