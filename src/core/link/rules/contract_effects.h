// Effects of a stage's instructions beyond computing values: sampling, writing, synchronizing and discarding. The
// contract check holds results to it: code that has effects is neither lost nor made (rules ), and
// names its resource as before.
//
// effects_with_copies walks calls itself: it counts how often a function is called, and in loops, where
// spirv/ir/call_tree.h names each function once.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "link/rules/interface_model.h"

namespace varylink::link {

// The number of instructions that do the same: one text for opcode, resource, image and memory operands, scopes, and
// whether the resource is NonUniform. Ordered, so that messages are.
using Effects = std::map<std::string, std::uint64_t>;
inline constexpr std::uint64_t kAnyNumber = ~std::uint64_t{0};

// Every effect is on a resource that the code names, none on a parameter of a function. Otherwise the texts of the
// stage and of its inlined form can only be compared without resources.
bool names_all_resources(const StageView& stage);

// As often as inlining may copy them: for each call of their function; kAnyNumber inside of loops, which may be
// unrolled. Reads of images and derivatives are among them, and reads that are volatile.
Effects effects_with_copies(const StageView& stage, bool with_resources);

// As often as they stand in code that the entry point reaches.
Effects effects_as_written(const StageView& stage, bool with_resources);

// Writes to memory, barriers and emitted vertices that run on every path: in front of the first branch.
Effects certain_effects(const StageView& stage, bool with_resources);

// The text of the same effect on a resource that is not NonUniform; none if this one is not either.
std::optional<std::string> without_non_uniform(const std::string& effect);

}  // namespace varylink::link
