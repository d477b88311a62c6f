// The diagnostic of a command line that cannot be followed.
#pragma once

#include <string>
#include <utility>

#include "base/diagnostic.h"

namespace varylink::cli {

// Ends the command with the exit status of wrong use; `message` names the option.
inline Diagnostic usage(std::string message) { return make_error(ErrorKind::usage, "", std::move(message)); }

}  // namespace varylink::cli
