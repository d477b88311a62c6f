// --limits of `varylink link` and `varylink check`.
#pragma once

#include <string>

#include "base/result.h"
#include "check/limits.h"

namespace varylink::cli {

// Device limits from a file. Errors: io, usage.
Result<check::Limits> read_limits(const std::string& file);

}  // namespace varylink::cli
