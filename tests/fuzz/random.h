// Random numbers that are the same on every platform and with every standard library: the distributions of <random>
// are not. xoshiro256** (Blackman, Vigna), seeded through splitmix64 as its authors advise.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace varylink::fuzz {

class Random {
 public:
  explicit Random(std::uint64_t seed);

  std::uint64_t next();

  // A number in [0, count). `count` must not be 0.
  std::uint32_t below(std::uint32_t count) { return static_cast<std::uint32_t>(next() % count); }

  // A number in [low, high], both included.
  int range(int low, int high) { return low + static_cast<int>(below(static_cast<std::uint32_t>(high - low + 1))); }

  // True with the given probability.
  bool chance(double probability) { return unit() < probability; }

  // A number in [0, 1) with 53 random bits.
  double unit() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }

  template <typename T>
  const T& pick(const std::vector<T>& from) {
    return from[below(static_cast<std::uint32_t>(from.size()))];
  }

 private:
  std::uint64_t state_[4];
};

}  // namespace varylink::fuzz
