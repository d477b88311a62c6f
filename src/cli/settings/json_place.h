// Where something stands in a JSON text; the parser does not tell for what it has read.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace varylink::cli {

// Column (from 1, in bytes) of the key that `path` leads to from the outermost object: {"stages", "vert"}. None if the
// text, which is valid JSON, has no such key. Of keys that stand twice it is the last one.
std::optional<int> column_of_key(std::string_view text, const std::vector<std::string>& path);

}  // namespace varylink::cli
