// All output for people goes through here, so that a name in a file cannot control their terminal (base/printable.h).
#pragma once

#include <cstdio>
#include <string_view>

namespace varylink::cli {

// The line, and a line break. Line breaks in it are escaped.
void put_line(std::FILE* stream, std::string_view line);
// Lines as they are; names in them have had their own line breaks escaped.
void put_text(std::FILE* stream, std::string_view lines);

}  // namespace varylink::cli
