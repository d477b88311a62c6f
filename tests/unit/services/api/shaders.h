// Shaders for the tests of the public interface. No header of ours is included: varylink.hpp has names of its own.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace api_test {

using Words = std::vector<std::uint32_t>;

// Writes color (location 0, vec4) and spare (location 1, vec4).
Words vertex_words();
// Reads the x and y of location 0.
Words fragment_words();
// Reads location 5, which vertex_words does not write.
Words strange_fragment_words();

// What travels over from vertex_words to fragment_words: before and after linking.
constexpr std::uint32_t kComponentsBefore = 8, kComponentsAfter = 2;

inline bool contains(std::string_view text, std::string_view part) { return text.find(part) != text.npos; }

}  // namespace api_test
