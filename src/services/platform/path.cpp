#include "platform/path.h"

namespace varylink::platform {

std::filesystem::path path_of(std::string_view name) { return std::u8string(name.begin(), name.end()); }

std::string name_of(const std::filesystem::path& path) {
  const std::u8string text = path.generic_u8string();
  return std::string(text.begin(), text.end());
}

std::string joined(const std::string& folder, const std::string& file) {
  return folder.empty() ? file : name_of(path_of(folder) / path_of(file));
}

std::string name_seen_from(const std::string& folder, const std::string& name) {
  return name_of(path_of(name).lexically_relative(path_of(folder)));
}

std::string normal(const std::string& name) { return name_of(path_of(name).lexically_normal()); }
std::string folder_of(const std::string& name) { return name_of(path_of(name).parent_path()); }
std::string file_part(const std::string& name) { return name_of(path_of(name).filename()); }

}  // namespace varylink::platform
