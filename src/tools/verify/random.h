// Random numbers that are a pure function of a seed and a place, so that a value never depends on what else is filled.
#pragma once

#include <cstdint>
#include <initializer_list>

namespace varylink::verify {

// SplitMix64's finalizer: every input bit changes about half of the output bits.
inline std::uint64_t mix(std::uint64_t value) {
  value += 0x9e3779b97f4a7c15ull;
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9ull;
  value = (value ^ (value >> 27)) * 0x94d049bb133111ebull;
  return value ^ (value >> 31);
}

// One number per seed and coordinates.
inline std::uint64_t hash_of(std::uint64_t seed, std::initializer_list<std::uint64_t> place) {
  std::uint64_t state = mix(seed);
  for (const std::uint64_t coordinate : place) state = mix(state ^ coordinate);
  return state;
}

// Evenly in [low, high), with 24 random bits.
inline float uniform(std::uint64_t hash, float low, float high) {
  return low + (high - low) * (static_cast<float>(hash >> 40) * 0x1p-24f);
}

// Evenly in [low, high].
inline std::int64_t uniform_int(std::uint64_t hash, std::int64_t low, std::int64_t high) {
  return low + static_cast<std::int64_t>(hash % static_cast<std::uint64_t>(high - low + 1));
}

}  // namespace varylink::verify
