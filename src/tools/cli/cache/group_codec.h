// Linked groups as bytes and back, for the cache. Nothing outside of the cache reads these bytes: the version of
// Varylink is part of every cache key, so that the format may change with it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "link/model/group.h"

namespace varylink::cli {

// Files are named by the position of their module, as driver::link_group has them: a result is that of equal modules
// under any name. `stages` of the pipelines are left out: they repeat words of `modules`, see restore_stages.
std::string encode(const link::LinkedGroup& group);
// None if the bytes are damaged or not of this format.
std::optional<link::LinkedGroup> decode(std::string_view bytes);

// Likewise, of interfaces by themselves.
std::string encode(const std::vector<link::InterfaceReport>& interfaces);
std::optional<std::vector<link::InterfaceReport>> decode_interfaces(std::string_view bytes);

// Fills `stages` of every pipeline that did not fail, in pipeline order.
void restore_stages(link::LinkedGroup& linked, const link::GroupInput& group);

}  // namespace varylink::cli
