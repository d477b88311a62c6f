// Changes to JSON texts that leave everything else as it was written: order, numbers, spaces.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "base/strict_json.h"

namespace varylink::formats {

struct JsonEdits {
  std::map<JsonPath, std::string> values;  // new strings in place of the strings or numbers at these paths
  std::map<JsonPath, std::string> keys;    // new names for the members at these paths
};

// `text` must be JSON. Paths that are not there are no error.
std::string edited(std::string_view text, const JsonEdits& edits);

// The string as JSON writes it, with quotes.
std::string quoted_json(const std::string& text);

}  // namespace varylink::formats
