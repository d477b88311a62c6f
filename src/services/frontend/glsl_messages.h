// The text log of the GLSL compiler as diagnostics.
#pragma once

#include <string>

#include "base/diagnostic.h"

namespace varylink::frontend {

// One diagnostic per error and warning of `log`, with file and line where the compiler gives them and `file` where it
// does not. Errors have ErrorKind::glsl. Lines that only count errors are left out.
Diagnostics parse_glsl_log(const std::string& log, const std::string& file);

}  // namespace varylink::frontend
