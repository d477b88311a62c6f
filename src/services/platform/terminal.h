// Standard error as a terminal.
#pragma once

#include <cstddef>
#include <optional>

namespace varylink::platform {

// True if standard error is a terminal that knows escape sequences; makes it one where it has to be told.
bool stderr_is_terminal();
// Its width in characters; none if it does not tell.
std::optional<std::size_t> stderr_columns();

}  // namespace varylink::platform
