#include "platform/place.h"

#include "platform/file_system.h"
#include "platform/path.h"

namespace varylink::platform {

std::string place_of(const std::string& name) {
  std::error_code error;
  const std::filesystem::path whole = std::filesystem::absolute(path_of(name), error);
  // What is there may be behind links, which the text does not tell; what is not there yet is where the text says.
  std::filesystem::path there = error ? path_of(name) : whole, rest;
  while (there.has_relative_path() && kind_of(name_of(there)) == FileKind::none) {
    rest = rest.empty() ? there.filename() : there.filename() / rest;
    there = there.parent_path();
  }
  there = path_of(real_name(name_of(there)));
  return comparable(normal(name_of(rest.empty() ? there : there / rest)));
}

}  // namespace varylink::platform
