// What a stage promises to the world outside of the pipeline. Linking must not change it, whatever happens to varyings.
#pragma once

#include <set>
#include <span>
#include <string>

#include "spirv/ir/stage.h"

namespace varylink::test {

// One line for each promise of the entry point of `stage` (the one called `entry_point`, or the only one): its name,
// the SPIR-V version, execution modes, vertex attributes, fragment outputs with their places, descriptor bindings, push
// constants, specialization ids with type and default, built-in outputs, and the built-in inputs of a fragment stage
// (their mere presence can have effects, rule ). Written independently of the linker's own reflection.
std::set<std::string> contract_of(std::span<const std::uint32_t> words, Stage stage, const std::string& entry_point);

// One line for each capability of the module: a linked module must not need more than the original.
std::set<std::string> capabilities_of(std::span<const std::uint32_t> words);

}  // namespace varylink::test
