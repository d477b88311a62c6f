#include "manifest_file.h"

#include <nlohmann/json.hpp>

namespace varylink::layer {

// False if it is no pipeline.
bool ManifestFile::learn(const std::string& line) {
  const auto json = nlohmann::json::parse(line, nullptr, false);
  if (!json.is_object() || !json.contains("name") || !json["name"].is_string()) return false;
  keys_.insert(json["name"].get<std::string>());
  return true;
}

int ManifestFile::read_others() {
  std::string bytes;
  if (const int error = file_.read(known_bytes_, bytes); error != 0) return error;
  std::size_t at = 0;
  for (std::size_t end = 0; (end = bytes.find('\n', at)) != std::string::npos; at = end + 1)
    learn(bytes.substr(at, end - at));
  known_bytes_ += at;
  open_line_ = learn(bytes.substr(at)) ? bytes.size() - at : 0;
  return 0;
}

int ManifestFile::add(const std::string& key, const std::string& line) {
  const std::uint64_t end = known_bytes_ + open_line_;
  const std::string text = (open_line_ != 0 ? "\n" : "") + line + "\n";
  if (const int error = file_.replace_end(end, text); error != 0) return error;
  known_bytes_ = end + text.size();
  open_line_ = 0;
  keys_.insert(key);
  return 0;
}

}  // namespace varylink::layer
