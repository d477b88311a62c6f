#include "cli/put_text.h"

#include <string>

#include "base/printable.h"

namespace varylink::cli {

void put_line(std::FILE* stream, std::string_view line) { std::fputs((printable(line) + "\n").c_str(), stream); }

void put_text(std::FILE* stream, std::string_view lines) {
  std::fputs(printable(lines, LineBreaks::kept).c_str(), stream);
}

}  // namespace varylink::cli
