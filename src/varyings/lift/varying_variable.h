// Declares the variable of a varying.
#pragma once

#include "spirv/ir/globals.h"
#include "varyings/lift/varying.h"

namespace varylink::varyings {

// The type of a number; booleans have none that crosses an interface.
spirv::Id type_id(spirv::Globals& globals, ScalarType type);

// Gives a variable the qualifiers of `varying`: interpolation (if the consumer interpolates), patch, per-primitive,
// precision, stream. Both sides get the same ones, except for Sample, which needs a capability that the producer need
// not have and means nothing there (rule ), and PerVertexKHR, which outputs cannot have.
void decorate_qualifiers(spirv::Module& module, spirv::Id variable, const Varying& varying, Direction direction,
                         bool interpolates);

// The variable of a lifted scalar: its type from varying.scalar, as an array of `vertices` elements if that is not 0;
// location and component from varying.slot. Adds it to the interface of the entry point and sets varying.variable.
void declare_scalar(spirv::Module& module, spirv::Globals& globals, spirv::InstRef entry_point, Varying& varying,
                    Direction direction, bool interpolates, std::uint32_t vertices);

}  // namespace varylink::varyings
