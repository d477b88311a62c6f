// Bytes of a file or of standard input.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace varylink::frontend {

// The whole content of `path`; "-" reads standard input to its end.
// Error: ErrorKind::io with the system's reason (missing, a folder, no permission), or a file beyond 256 MiB, which no
// shader is.
Result<std::string> read_file(const std::string& path);

// The same for files larger than any shader, such as databases of shaders.
Result<std::string> read_large_file(const std::string& path);

// A text without the byte order mark that some editors put in front of UTF-8.
std::string_view without_byte_order_mark(std::string_view text);

// True if `path` names something that can be opened for reading and is not a folder.
bool is_readable_file(const std::string& path);

// Name of this path in messages and reports: the path, on Windows with "/" for "\"; "<stdin>" for "-".
std::string display_name(const std::string& path);

}  // namespace varylink::frontend
