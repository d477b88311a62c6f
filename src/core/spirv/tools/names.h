// Names of instructions, for people.
#pragma once

#include <cstdint>
#include <string>

#include "spirv/ir/module.h"

namespace varylink::spirv {

// "FMul" for OpFMul.
std::string name_of(spv::Op op);
// "FMix" for number 46 of GLSL.std.450; "GLSL 99" for numbers that no scalar arithmetic has.
std::string glsl_name(std::uint32_t number);

}  // namespace varylink::spirv
