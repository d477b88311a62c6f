// How hashes of terms take in one more number.
#pragma once

#include <cstdint>

namespace varylink::prove {

inline std::uint64_t mix(std::uint64_t hash, std::uint64_t value) {
  hash ^= value + 0x9e3779b97f4a7c15ull + (hash << 6) + (hash >> 2);
  hash *= 0xff51afd7ed558ccdull;
  return hash ^ (hash >> 32);
}

}  // namespace varylink::prove
