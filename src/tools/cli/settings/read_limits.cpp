#include "cli/settings/read_limits.h"

#include "frontend/read_file.h"

namespace varylink::cli {

Result<check::Limits> read_limits(const std::string& file) {
  const Result<std::string> text = frontend::read_file(file);
  if (!text) return text.error();
  return check::parse_limits(*text, file);
}

}  // namespace varylink::cli
