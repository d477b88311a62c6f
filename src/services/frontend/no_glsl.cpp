// Stands in for glsl.cpp in a build without glslang (VARYLINK_WITH_GLSLANG=OFF).
#include "frontend/glsl.h"

namespace varylink::frontend {

bool can_compile_glsl() { return false; }

Result<CompiledGlsl> compile_glsl(const GlslSource& source, const CompileOptions&, Diagnostics* messages) {
  const Diagnostic error =
      make_error(ErrorKind::glsl, source.file, "this is not SPIR-V, and this build of varylink has no GLSL compiler");
  if (messages != nullptr) messages->push_back(error);
  return error;
}

}  // namespace varylink::frontend
