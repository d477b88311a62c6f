#include "cli/settings/json_place.h"

#include <nlohmann/json.hpp>

namespace varylink::cli {
namespace {

// Walks a text that is known to be JSON and keeps the path of keys to where it is. Lists count as a key without a name.
class Walk {
 public:
  Walk(std::string_view text, const std::vector<std::string>& wanted) : text_(text), wanted_(wanted) {}

  std::optional<int> run() {
    for (at_ = 0; at_ < text_.size(); ++at_) step(text_[at_]);
    return found_;
  }

 private:
  void step(char c) {
    if (c == '"') return string();
    if (c == '{') path_.emplace_back();
    if (c == '[') path_.emplace_back();
    if ((c == '}' || c == ']') && !path_.empty()) path_.pop_back();
  }

  // A string is a key if a colon comes behind it.
  void string() {
    const std::size_t start = at_;
    for (++at_; at_ < text_.size() && text_[at_] != '"'; ++at_)
      if (text_[at_] == '\\') ++at_;
    const std::size_t behind = text_.find_first_not_of(" \t\r\n", at_ + 1);
    if (behind == std::string_view::npos || text_[behind] != ':' || path_.empty()) return;
    path_.back() = plain(text_.substr(start, at_ + 1 - start));
    if (path_ == wanted_) found_ = static_cast<int>(start) + 1;
  }

  // Without quotes and escapes.
  static std::string plain(std::string_view quoted) {
    const nlohmann::json value = nlohmann::json::parse(quoted, nullptr, false);
    return value.is_string() ? value.get<std::string>() : std::string();
  }

  std::string_view text_;
  const std::vector<std::string>& wanted_;
  std::vector<std::string> path_;
  std::size_t at_ = 0;
  std::optional<int> found_;
};

}  // namespace

std::optional<int> column_of_key(std::string_view text, const std::vector<std::string>& path) {
  return Walk(text, path).run();
}

}  // namespace varylink::cli
