#include "base/strict_json.h"

#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>
#include <set>

#include "base/nearest.h"

namespace varylink {
namespace {

using nlohmann::json;

// Keys that begin like this belong to the application and its own tools.
constexpr std::string_view kOwnKey = "x-";

// Walks a text that is known to be JSON and looks for the value at a path. The parser does not tell where things stand.
class Walk {
 public:
  Walk(std::string_view text, const JsonPath& wanted) : text_(text), wanted_(wanted) {}

  // Offset of the key, or of the list element. Of keys that stand twice it is the last one.
  std::optional<std::size_t> run() {
    for (at_ = 0; at_ < text_.size(); ++at_) step(text_[at_]);
    return found_;
  }

 private:
  struct Level {
    bool is_list = false, is_open = false;  // open: the next value is a new element
    std::size_t count = 0;
  };

  void step(char c) {
    if (c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == ':') return;
    if (c == ',') {
      if (!levels_.empty()) levels_.back().is_open = true;
      return;
    }
    if (c == '}' || c == ']') {
      if (!levels_.empty()) {
        levels_.pop_back();
        path_.pop_back();
      }
      return;
    }
    start_element();
    if (c == '"') return string();
    if (c != '{' && c != '[') return;
    levels_.push_back({c == '[', true, 0});
    path_.emplace_back();
  }

  void start_element() {
    if (levels_.empty() || !levels_.back().is_list || !levels_.back().is_open) return;
    path_.back() = std::to_string(levels_.back().count++);
    levels_.back().is_open = false;
    if (path_ == wanted_) found_ = at_;
  }

  // A string is a key if a colon comes behind it.
  void string() {
    const std::size_t start = at_;
    for (++at_; at_ < text_.size() && text_[at_] != '"'; ++at_)
      if (text_[at_] == '\\') ++at_;
    const std::size_t behind = text_.find_first_not_of(" \t\r\n", at_ + 1);
    if (behind == std::string_view::npos || text_[behind] != ':' || path_.empty()) return;
    path_.back() = plain(text_.substr(start, at_ + 1 - start));
    if (path_ == wanted_) found_ = start;
  }

  // Without quotes and escapes.
  static std::string plain(std::string_view quoted) {
    const json value = json::parse(quoted, nullptr, false);
    return value.is_string() ? value.get<std::string>() : std::string();
  }

  std::string_view text_;
  const JsonPath& wanted_;
  JsonPath path_;
  std::vector<Level> levels_;
  std::size_t at_ = 0;
  std::optional<std::size_t> found_;
};

// Where a problem stands; none if it is about something that is not there.
std::optional<std::size_t> offset_of(std::string_view text, const JsonProblem& problem) {
  if (problem.path.empty()) return problem.offset > 0 ? std::optional(problem.offset - 1) : std::nullopt;
  return Walk(text, problem.path).run();
}

// Whoever reads a value goes down into it, which a text that is nested without end must not let end the program.
constexpr std::size_t kMostLevels = 200;
struct TooManyLevels {};

// JSON lets a key stand twice and the last one win; for a stage that would hide a file.
class DuplicateKeys {
 public:
  using Event = json::parse_event_t;

  bool operator()(int, Event event, json& value) {
    if (levels_.size() > kMostLevels) throw TooManyLevels{};
    if (event == Event::object_start || event == Event::array_start || event == Event::value) start_element();
    if (event == Event::object_start || event == Event::array_start) {
      levels_.push_back({event == Event::array_start, 0, {}});
      path_.emplace_back();
    }
    if (event == Event::object_end || event == Event::array_end) {
      levels_.pop_back();
      path_.pop_back();
    }
    if (event != Event::key) return true;
    path_.back() = value.get<std::string>();
    if (!levels_.back().keys.insert(path_.back()).second && twice_.empty()) twice_ = path_;
    return true;
  }

  const JsonPath& twice() const { return twice_; }

 private:
  struct Level {
    bool is_list = false;
    std::size_t count = 0;
    std::set<std::string> keys;
  };

  void start_element() {
    if (!levels_.empty() && levels_.back().is_list) path_.back() = std::to_string(levels_.back().count++);
  }

  std::vector<Level> levels_;
  JsonPath path_, twice_;
};

}  // namespace

std::optional<json> parse_json(std::string_view text, JsonProblem& problem) {
  DuplicateKeys keys;
  try {
    json value = json::parse(text, std::ref(keys));
    if (keys.twice().empty()) return value;
    problem.message = "the key \"" + keys.twice().back() + "\" stands twice";
    problem.path = keys.twice();
  } catch (const TooManyLevels&) {
    problem.message = "is nested more than " + std::to_string(kMostLevels) + " levels deep";
  } catch (const json::parse_error& error) {
    problem.message = "is not JSON";
    problem.offset = std::min(error.byte, text.size() + 1);
  } catch (const json::exception&) {
    problem.message = "is not JSON";  // a number that no type holds
  }
  return std::nullopt;
}

Diagnostic json_error(std::string_view text, const std::string& file, const JsonProblem& problem, int first_line) {
  Diagnostic diagnostic = make_error(ErrorKind::usage, file, problem.message);
  const std::optional<std::size_t> offset = offset_of(text, problem);
  diagnostic.line = first_line;
  if (!offset) return diagnostic;
  const std::string_view before = text.substr(0, *offset);
  diagnostic.line += static_cast<int>(std::count(before.begin(), before.end(), '\n'));
  const std::size_t line_start = before.rfind('\n') == std::string_view::npos ? 0 : before.rfind('\n') + 1;
  diagnostic.message = "column " + std::to_string(*offset - line_start + 1) + ": " + problem.message;
  return diagnostic;
}

std::string list_of_names(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i)
    text += (i == 0 ? "" : i + 1 == names.size() ? " and " : ", ") + names[i];
  return text;
}

StrictJson StrictJson::below(const json& value, const std::string& key) const {
  JsonPath path = path_;
  path.push_back(key);
  return {value, problem_, std::move(path)};
}

bool StrictJson::is_null() const { return value_.is_null(); }
bool StrictJson::is_string() const { return value_.is_string(); }
bool StrictJson::is_object() const { return value_.is_object(); }

void StrictJson::complain(const std::string& message) const {
  if (is_sound()) problem_ = {message, path_, 0};
}

bool StrictJson::is_object_of(const char* what, const std::vector<std::string>& keys) const {
  if (!value_.is_object()) {
    complain((path_.empty() ? "" : quoted() + ": ") + std::string(what) + " is a JSON object");
    return false;
  }
  for (const auto& [key, value] : value_.items()) {
    if (key.starts_with(kOwnKey) || std::find(keys.begin(), keys.end(), key) != keys.end()) continue;
    const std::string hint = did_you_mean(key, keys);
    below(value, key)
        .complain(std::string(what) + " has no key \"" + key + "\"" +
                  (hint.empty() ? "; there are " + list_of_names(keys) : hint));
  }
  return is_sound();
}

std::optional<StrictJson> StrictJson::find(const std::string& key) const {
  if (!value_.is_object()) return std::nullopt;
  const auto found = value_.find(key);
  return found == value_.end() ? std::nullopt : std::optional(below(*found, key));
}

std::optional<StrictJson> StrictJson::need(const std::string& key) const {
  std::optional<StrictJson> found = find(key);
  if (!found) complain((path_.empty() ? "needs" : quoted() + " needs") + std::string(" \"") + key + "\"");
  return found;
}

std::vector<std::pair<std::string, StrictJson>> StrictJson::members() const {
  std::vector<std::pair<std::string, StrictJson>> list;
  if (!value_.is_object()) complain(quoted() + " is not a JSON object");
  if (value_.is_object())
    for (const auto& [key, value] : value_.items())
      if (!key.starts_with(kOwnKey)) list.emplace_back(key, below(value, key));
  return list;
}

std::vector<StrictJson> StrictJson::elements() const {
  std::vector<StrictJson> list;
  if (!value_.is_array()) complain(quoted() + " is not a list");
  if (value_.is_array())
    for (std::size_t i = 0; i < value_.size(); ++i) list.push_back(below(value_[i], std::to_string(i)));
  return list;
}

std::string StrictJson::text() const {
  std::string text = is_string() ? value_.get<std::string>() : std::string();
  if (text.empty()) complain(quoted() + (is_string() ? " is empty" : " is not a text"));
  return text;
}

bool StrictJson::flag() const {
  if (value_.is_boolean()) return value_.get<bool>();
  complain(quoted() + " is true or false");
  return false;
}

std::uint32_t StrictJson::number(std::uint32_t least, std::uint32_t greatest) const {
  if (value_.is_number_unsigned() && value_.get<std::uint64_t>() >= least && value_.get<std::uint64_t>() <= greatest)
    return value_.get<std::uint32_t>();
  complain(quoted() + " is not a number from " + std::to_string(least) + " to " + std::to_string(greatest));
  return least;
}

std::size_t StrictJson::one_of(const std::vector<std::string>& names) const {
  const std::string name = value_.is_string() ? value_.get<std::string>() : value_.dump();
  const auto found = std::find(names.begin(), names.end(), name);
  if (found != names.end() && value_.is_string()) return static_cast<std::size_t>(found - names.begin());
  const std::string hint = did_you_mean(name, names);
  complain(quoted() + ": there is no " + name + (hint.empty() ? "; there are " + list_of_names(names) : hint));
  return 0;
}

}  // namespace varylink
