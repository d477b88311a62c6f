// Dynamic indices into inputs, where only few elements can be meant, as choices between these elements.
//
//   a[b ? 1 : 3]          ->    i == 3 ? a[3] : a[1]             with i = b ? 1 : 3
//
//   a[i]                  ->    vec3(a[0], a[1], a[2])[i]        of three floats
//
// The array can then be scalarized: elements that no index reaches go, and the others are packed like anything else.
#pragma once

#include "spirv/ir/module.h"
#include "varyings/reflect/interface_variable.h"
#include "varyings/scalarize/scalarize_plan.h"

namespace varylink::varyings {

// Rewrites the loads of the inputs of `entry` in place. An input is left alone if one of its dynamic indices may mean
// more than 4 elements, or all there are with more than 4 components in what could be loaded; if more than 16
// components would be loaded for one access; if `producer`, the plan of the outputs it matches, has to keep the array;
// or if all components are read and fill their locations.
void enumerate_indices(spirv::Module& module, const Entry& entry, const SidePlan& producer);

// Whether some input is indexed dynamically at all, so that enumerate_indices() is worth a call.
bool has_dynamic_inputs(const spirv::Module& module, const Entry& entry);

}  // namespace varylink::varyings
