// How much of a stage's code linking left as it was: instructions that a reader of both modules would call unchanged.
#pragma once

#include <cstddef>
#include <optional>

#include "link/model/pipeline.h"
#include "spirv/ir/module.h"

namespace varylink::report {

struct KeptInstructions {
  // Instructions of all functions, without labels, debug information and instructions that move values through local
  // memory.
  std::size_t original = 0;
  std::size_t kept = 0;  // those of them that are still there, in the same order
  friend bool operator==(const KeptInstructions&, const KeptInstructions&) = default;
};

// Instructions are the same if opcode, type, literals and operands are: types, constants and variables by what they
// are, results of other instructions by their type. Ids, names, locations and declarations that nothing uses make no
// difference, nor does whether a value waits in a local variable. Patience matching finds the instructions that are in
// order (instructions that occur once on both sides are held fast first), so that `kept` is a lower bound of the
// longest common subsequence, in n log n steps.
KeptInstructions kept_instructions(const spirv::Module& before, const spirv::Module& after);

// Of stages; none if one of them cannot be read.
std::optional<KeptInstructions> kept_instructions(const link::StageInput& before, const link::StageInput& after);

}  // namespace varylink::report
