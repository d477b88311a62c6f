// Debug instructions that describe variables, values and functions.
#pragma once

#include <cstdint>
#include <optional>

#include "spirv/ir/module.h"

namespace varylink::spirv {

// The number of an instruction of NonSemantic.Shader.DebugInfo.100, or of OpenCL.DebugInfo.100, whose numbers are the
// same for whatever both have; none for other instructions.
std::optional<std::uint32_t> debug_number(const Module& module, InstRef inst);

// Operands of DebugDeclare and DebugValue: the variable of the source, and the variable of the module or the value that
// it is from there on.
constexpr std::uint32_t kDebugVariable = 2, kDebugValue = 3;

// The set has DebugDeclare for a part of a variable, with indexes behind the expression as DebugValue has them in both.
bool has_indexed_declarations(const Module& module, InstRef inst);

// A DebugDeclare names a variable or a parameter of a function. Where an argument has taken the place of the parameter,
// the record becomes a DebugValue if the argument is a value, and is removed if it points into a variable: false. True
// for all other instructions. Source: NonSemantic.Shader.DebugInfo.100, DebugDeclare.
bool keep_declaration(Module& module, InstRef inst);

// Removes debug instructions that describe removed ids, and debug instructions that refer to those in turn. Constants
// that only debug instructions use go with them. A source variable whose value is gone at one place, and known at
// others of the function, becomes undefined there: a debugger would otherwise show its previous value.
void remove_debug_of_removed(Module& module);

}  // namespace varylink::spirv
