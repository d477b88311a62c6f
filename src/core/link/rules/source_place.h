// Where in the source a variable is declared or first used, as far as debug info tells.
#pragma once

#include <string>

#include "base/diagnostic.h"
#include "link/rules/interface_model.h"

namespace varylink::link {

// Looks at DebugGlobalVariable (NonSemantic.Shader.DebugInfo.100), at an OpLine in front of the variable, and at the
// OpLine or DebugLine in force at its first use by the entry point, in this order. Note that compilers differ in what
// they call the line of a global variable: glslang names the line of the first use.
SourcePlace source_place(const StageView& stage, spirv::Id variable);

// A variable of a stage; neither has to be there.
struct PlacedVariable {
  const StageView* stage = nullptr;
  spirv::Id variable = 0;
};

// Puts the places of both sides into a diagnostic about `own`; name_files decides how they are told.
void add_places(Diagnostic& diagnostic, const PlacedVariable& own, const PlacedVariable& other);

}  // namespace varylink::link
