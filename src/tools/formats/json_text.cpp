#include "formats/json_text.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace varylink::formats {
namespace {

// One pass over a text; copies what is not edited.
class Editor {
 public:
  Editor(std::string_view text, const JsonEdits& edits) : text_(text), edits_(edits) {}

  std::string run() {
    while (at_ < text_.size()) step();
    result_ += text_.substr(copied_);
    return std::move(result_);
  }

 private:
  struct Level {
    bool is_list = false;
    std::size_t count = 0;
  };

  void step() {
    const char c = text_[at_];
    if (c == '}' || c == ']') return close();
    if (c == ',') return next_element();
    if (c == '{' || c == '[') return open(c == '[');
    if (c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == ':') {
      ++at_;
      return;
    }
    scalar();
  }

  void open(bool is_list) {
    levels_.push_back({is_list, 0});
    path_.emplace_back(is_list ? "0" : "");
    ++at_;
  }

  void close() {
    if (!levels_.empty()) {
      levels_.pop_back();
      path_.pop_back();
    }
    ++at_;
  }

  void next_element() {
    if (!levels_.empty() && levels_.back().is_list) path_.back() = std::to_string(++levels_.back().count);
    ++at_;
  }

  void scalar() {
    const std::size_t start = at_;
    if (text_[at_] == '"') {
      for (++at_; at_ < text_.size() && text_[at_] != '"'; ++at_)
        if (text_[at_] == '\\') ++at_;
      at_ = std::min(at_ + 1, text_.size());
    } else {
      at_ = std::min(text_.find_first_of(",]} \t\r\n", at_), text_.size());
    }
    const std::size_t behind = text_.find_first_not_of(" \t\r\n", at_);
    const bool is_key = !levels_.empty() && !levels_.back().is_list && behind != std::string_view::npos &&
                        text_[behind] == ':' && text_[start] == '"';
    if (is_key) path_.back() = plain(text_.substr(start, at_ - start));
    const auto& edits = is_key ? edits_.keys : edits_.values;
    if (const auto edit = edits.find(path_); edit != edits.end()) replace(start, edit->second);
  }

  void replace(std::size_t start, const std::string& with) {
    result_ += text_.substr(copied_, start - copied_);
    result_ += quoted_json(with);
    copied_ = at_;
  }

  static std::string plain(std::string_view quoted) {
    const auto value = nlohmann::json::parse(quoted, nullptr, false);
    return value.is_string() ? value.get<std::string>() : std::string();
  }

  std::string_view text_;
  const JsonEdits& edits_;
  std::string result_;
  JsonPath path_;
  std::vector<Level> levels_;
  std::size_t at_ = 0, copied_ = 0;
};

}  // namespace

std::string edited(std::string_view text, const JsonEdits& edits) { return Editor(text, edits).run(); }

std::string quoted_json(const std::string& text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace varylink::formats
