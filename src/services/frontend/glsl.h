// GLSL -> SPIR-V, one stage at a time.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "frontend/frontend.h"
#include "spirv/ir/module.h"
#include "spirv/ir/stage.h"

namespace varylink::frontend {

struct CompiledGlsl {
  spirv::Module module;  // varyings that the source gives no location have no Location decoration yet
  // Keys (see locations.h) of the inputs and outputs without a location, each list in declaration order.
  std::vector<std::string> inputs, outputs;
  std::vector<std::string> includes;  // files read by #include, in order of first reading
  Diagnostics warnings;
};

struct GlslSource {
  std::string text;
  std::string file;  // name of the source in messages
  Stage stage = Stage::vertex;
  std::string entry_point;  // empty means "main"
};

// Compiles the source in this process, on a stack that is deep enough for every expression that is let through. Thread
// safe.
// Errors: glsl, the first message of the compiler, or an expression is nested too deeply for it; every message goes to
// `messages` as well if that is not null. usage: there is no function called `entry_point`.
Result<CompiledGlsl> compile_glsl(const GlslSource& source, const CompileOptions& options, Diagnostics* messages);

}  // namespace varylink::frontend
