// Reads JSON that people write: an unknown key, a wrong type or a repeated key is an error with its place.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/diagnostic.h"

namespace varylink {

// Keys, and numbers of list elements from 0, from the outermost value to the one in question.
using JsonPath = std::vector<std::string>;

struct JsonProblem {
  std::string message;     // empty: nothing is wrong
  JsonPath path;           // its subject; empty for the whole text
  std::size_t offset = 0;  // in bytes, where the text stops being JSON; counts if `path` is empty
};

// The value of a text; none, with the reason in `problem`, if it is not JSON or if a key of some object stands twice.
std::optional<nlohmann::json> parse_json(std::string_view text, JsonProblem& problem);

// An error of kind usage about `file`: "column 12: ..." with the line that it stands on. `first_line` is the number of
// the text's first line.
Diagnostic json_error(std::string_view text, const std::string& file, const JsonProblem& problem, int first_line = 1);

// "a, b and c"
std::string list_of_names(const std::vector<std::string>& names);

// A value and its path. Only the first problem of a text is kept; results after it mean nothing.
class StrictJson {
 public:
  // `value` and `problem` must outlive this object and those made from it.
  StrictJson(const nlohmann::json& value, JsonProblem& problem, JsonPath path = {})
      : value_(value), problem_(problem), path_(std::move(path)) {}

  // An object that has no other keys than these; `what` is its name in messages ("a layout"). Keys that begin with "x-"
  // belong to the application.
  bool is_object_of(const char* what, const std::vector<std::string>& keys) const;

  std::optional<StrictJson> find(const std::string& key) const;
  // Reports a problem if there is none.
  std::optional<StrictJson> need(const std::string& key) const;
  std::vector<std::pair<std::string, StrictJson>> members() const;
  std::vector<StrictJson> elements() const;

  std::string text() const;  // not empty
  bool flag() const;
  std::uint32_t number(std::uint32_t least = 0, std::uint32_t greatest = 0xffffffffu) const;
  // Position of the value among `names`.
  std::size_t one_of(const std::vector<std::string>& names) const;

  bool is_null() const;
  bool is_string() const;
  bool is_object() const;
  const nlohmann::json& value() const { return value_; }
  // The key or position of the value.
  std::string key() const { return path_.empty() ? std::string() : path_.back(); }

  void complain(const std::string& message) const;
  bool is_sound() const { return problem_.message.empty(); }

 private:
  StrictJson below(const nlohmann::json& value, const std::string& key) const;
  std::string quoted() const { return "\"" + key() + "\""; }

  const nlohmann::json& value_;
  JsonProblem& problem_;
  JsonPath path_;
};

}  // namespace varylink
