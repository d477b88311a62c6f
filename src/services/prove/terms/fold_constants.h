// Constants that operations on constants give. Operands become constants in many places: in the code, when an
// invocation or a branch is chosen, under an assumption; the result is the same constant wherever that happens.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "prove/terms/term.h"

namespace varylink::prove {

// The constant of `sort` that an operation gives, which is named as terms name it ("IEqual", "glsl.SClamp.45"). None if
// an operand is no constant, if the operation is not known here, and where SPIR-V leaves the result undefined (SPIR-V
// 3.49.11 and 3.49.13: division by zero, shifts by the width or more, numbers that do not fit).
std::optional<Term> fold_constants(Terms& terms, const std::string& operation, Sort sort,
                                   std::span<const Term> operands);

}  // namespace varylink::prove
