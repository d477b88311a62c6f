// Puts entry points of one module into another one that was made from the same module.
#pragma once

#include <span>

#include "spirv/ir/module.h"

namespace varylink::spirv {

// Adds to `target` every entry point of `source` that is not called `name` for `model`, with all it needs: functions
// and interface variables as copies of their own, so that both halves stay independent; resources, private constants,
// types and strings that `target` still has are shared. `target` was made from `source`: a result id that both define
// by the same opcode with the same type, operands and decorations is the same.
void import_other_entries(Module& target, const Module& source, spv::ExecutionModel model, const std::string& name);

// Number of entry points in the words of a module that can be read.
std::size_t entry_point_count(std::span<const std::uint32_t> words);

}  // namespace varylink::spirv
