#include "frontend/glsl_nesting.h"

#include <algorithm>
#include <cctype>
#include <utility>
#include <vector>

namespace varylink::frontend {
namespace {

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.'; }

class Scan {
 public:
  explicit Scan(std::string_view text) : text_(text) {}

  std::size_t run() {
    while (at_ < text_.size()) step();
    return deepest_;
  }

 private:
  void step() {
    const char c = text_[at_];
    const bool starts_line = starts_line_;
    starts_line_ = c == '\n' || (starts_line && std::isspace(static_cast<unsigned char>(c)) != 0);
    if (c == '#' && starts_line) return skip_directive();
    if (text_.substr(at_, 2) == "//") return skip_to("\n", 0);
    if (text_.substr(at_, 2) == "/*") return skip_to("*/", 2);
    if (std::isspace(static_cast<unsigned char>(c)) != 0)
      ++at_;
    else
      take_token(c);
  }

  void skip_to(std::string_view end, std::size_t length) {
    const std::size_t found = text_.find(end, at_ + length);
    at_ = found == std::string_view::npos ? text_.size() : found + length;
  }

  // A line that ends in a backslash goes on.
  void skip_directive() {
    do {
      skip_to("\n", 0);
      at_ = std::min(at_ + 1, text_.size());
    } while (at_ >= 2 && at_ < text_.size() && text_[at_ - 2] == '\\');
    starts_line_ = true;
  }

  void take_token(char c) {
    do ++at_;
    while (is_word(c) && at_ < text_.size() && is_word(text_[at_]));
    switch (c) {
      case '(':
      case '[': return open();
      case ')':
      case ']': return close();
      case ',': return start_again();
      case ';':
      case '{':
      case '}':  // also ends brackets that nobody closed
        around_.clear();
        depth_ = here_ = 0;
        return;
      default: ++here_; deepest_ = std::max(deepest_, ++depth_);
    }
  }

  void open() {
    around_.push_back(here_ + 1);
    here_ = 0;
    deepest_ = std::max(deepest_, ++depth_);
  }
  void close() {
    start_again();
    if (around_.empty()) return;
    here_ = around_.back();
    around_.pop_back();
  }
  void start_again() { depth_ -= std::exchange(here_, 0); }

  std::string_view text_;
  std::size_t at_ = 0;
  bool starts_line_ = true;
  std::vector<std::size_t> around_;  // tokens of the expressions around the open brackets
  std::size_t here_ = 0;             // tokens of the innermost one
  std::size_t depth_ = 0;            // sum of both
  std::size_t deepest_ = 0;
};

}  // namespace

std::size_t deepest_nesting(std::string_view glsl) { return Scan(glsl).run(); }

}  // namespace varylink::frontend
