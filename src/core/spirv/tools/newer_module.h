// Modules that the installed SPIRV-Tools cannot read: newer than they are, or damaged.
//
// Additions of a newer SPIR-V come with a version, a capability or an extension that a module has to declare (SPIR-V
// 2.2, 3.1 and "enabled by"). A module that declares nothing unknown has nothing unknown in it: then words that cannot
// be read are damage. A module that does is read without the unknown instructions, and everything else has to be right:
// word counts, ids, types, sections and functions. That needs no validator.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace varylink::spirv {

// Features that the words declare and this build does not know: "SPIR-V 1.7", "capability 7777", "extension
// SPV_NEW_thing". Empty: nothing, or the words are damaged, newer or not.
std::vector<std::string> newer_features(std::span<const std::uint32_t> words);

// An instruction that this build does not know.
struct UnknownWords {
  std::size_t at = 0;  // where it stood among the words that are left
  std::vector<std::uint32_t> words;
};

// A newer module without the instructions that are not known, and these, in order.
struct KnownPart {
  std::vector<std::uint32_t> words;
  std::vector<UnknownWords> unknown;
};

// None for words that declare nothing newer, are damaged, or have too much that is not known to look at all of it.
std::optional<KnownPart> known_part(std::span<const std::uint32_t> words);

// "capability 7777, extension SPV_NEW_thing and 3 more".
std::string listed(const std::vector<std::string>& features);

// `words` are a complete stream of instructions: each has a length, and the lengths add up.
bool is_complete_stream(std::span<const std::uint32_t> words);

}  // namespace varylink::spirv
