// Where in the source a variable is declared or first used, as far as debug info tells.
#pragma once

#include <string>

#include "link/conformance/interface_model.h"

namespace varylink::check {

struct SourcePlace {
  std::string file;  // as the debug info has it
  int line = 0;      // 1-based, 0 if nothing is known
};

// Looks at DebugGlobalVariable (NonSemantic.Shader.DebugInfo.100), at an OpLine in front of the variable, and at the
// OpLine or DebugLine in force at its first use by the entry point, in this order. Note that compilers differ in what
// they call the line of a global variable: glslang names the line of the first use.
SourcePlace source_place(const link::StageView& stage, spirv::Id variable);

}  // namespace varylink::check
