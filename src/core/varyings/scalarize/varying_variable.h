// Declares the variable of a varying.
#pragma once

#include "spirv/ir/globals.h"
#include "varyings/scalarize/varying.h"

namespace varylink::varyings {

// The type of a number; booleans have none that crosses an interface.
spirv::Id type_id(spirv::Globals& globals, ScalarType type);

// Gives a variable the qualifiers of `varying`: interpolation (if the consumer interpolates), patch, per-primitive,
// precision, stream. Both sides get the same ones (rule ), as far as outputs of the module may have them.
void decorate_qualifiers(spirv::Module& module, spirv::Id variable, const Varying& varying, Direction direction,
                         bool interpolates);

// Elements of a scalarized varying that is an array of vertices or primitives, else 0.
std::uint32_t vertices_of(const spirv::Module& module, const Varying& varying);

// The variable of a scalarized scalar: its type from varying.scalar, as an array of `vertices` elements if that is not
// 0; location and component from varying.slot. Adds it to the interface of the entry point and sets varying.variable.
void declare_scalar(spirv::Module& module, spirv::Globals& globals, spirv::InstRef entry_point, Varying& varying,
                    Direction direction, bool interpolates, std::uint32_t vertices);

}  // namespace varylink::varyings
