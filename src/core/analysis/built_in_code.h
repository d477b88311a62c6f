// Whether two states of one stage compute its built-in outputs by the same instructions, told from values alone: quick,
// and without an answer for loops and other effects on memory. share/position_code.h compares all code.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "base/word_hash.h"
#include "spirv/ir/module.h"

namespace varylink::analysis {

// Numbers of code. Equal ones stand for equal instructions with equal operands, types and decorations, in all modules
// that one table has seen; ids, places and the arrangement of vectors do not count.
class CodeNumbers {
 public:
  using Words = std::vector<std::uint32_t>;

  // The number of an instruction that is spelled like this; 0 is no number.
  std::uint32_t of(const Words& words);

  // A scalar of the value with the number `whole`, which has `count` of them and the type with the number `type`.
  struct Part {
    std::uint32_t whole = 0, index = 0;
    std::uint32_t count = 0, type = 0;
  };
  std::uint32_t of_part(const Part& part);
  // None if the number is not that of a part.
  const Part* part(std::uint32_t number) const;

  // A value that arranges the scalars with the numbers `parts`.
  std::uint32_t of_arranged(std::uint32_t type, const Words& parts);
  // The scalars of such a value; none of others.
  const Words* arranged(std::uint32_t number) const;

 private:
  struct Hash {
    std::size_t operator()(const Words& words) const {
      WordHash hash;
      hash.add(words);
      return hash.value();
    }
  };
  std::unordered_map<Words, std::uint32_t, Hash> numbers_;
  std::unordered_map<std::uint32_t, Part> parts_;
  std::unordered_map<std::uint32_t, Words> arranged_;
};

// A number for each store of `function` to a built-in output, in the order in which they run: equal numbers for equal
// values under equal conditions. None if values do not tell it: the function calls others or has other effects on
// memory, a store stands in a loop or a switch, or something that is stored comes from there or from memory that can
// change.
std::optional<std::vector<std::uint32_t>> built_in_code(const spirv::Module& module, spirv::Id function,
                                                        CodeNumbers& numbers);

}  // namespace varylink::analysis
