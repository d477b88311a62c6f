#include "state/vulkan_format.h"

#include <algorithm>
#include <charconv>
#include <string>
#include <utility>

#include "state/format_names.h"

namespace varylink::state {
namespace {

using Kind = VulkanFormat::Kind;

constexpr std::pair<std::string_view, Kind> kKinds[] = {
    {"UNORM", Kind::unorm},     {"SNORM", Kind::snorm},   {"USCALED", Kind::uscaled},
    {"SSCALED", Kind::sscaled}, {"UINT", Kind::uint},     {"SINT", Kind::sint},
    {"UFLOAT", Kind::ufloat},   {"SFLOAT", Kind::sfloat}, {"SRGB", Kind::srgb}};

// "R8G8B8A8" -> bits by component. X is padding; E is the exponent that the others of an E5B9G9R9 share.
// False for the other words that names begin with.
bool read_components(std::string_view text, VulkanFormat& format) {
  bool any = false;
  while (!text.empty()) {
    const std::size_t component = std::string_view("RGBA").find(text.front());
    const bool stores_none = text.front() == 'X' || text.front() == 'E';
    if (component == std::string_view::npos && !stores_none) return false;
    std::uint8_t bits = 0;
    const auto [end, error] = std::from_chars(text.data() + 1, text.data() + text.size(), bits);
    if (error != std::errc() || bits == 0 || bits > 64) return false;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    if (stores_none) continue;
    format.bits[component] = bits;
    any = true;
  }
  return any;
}

}  // namespace

std::optional<VulkanFormat> find_format(std::string_view name) {
  if (!is_format_name(name)) return std::nullopt;
  const std::size_t first = std::min(name.find('_'), name.size());
  VulkanFormat format;
  if (!read_components(name.substr(0, first), format)) return std::nullopt;
  const std::string_view rest = name.substr(first + 1);  // "UNORM_PACK16"
  const std::string_view kind_name = rest.substr(0, rest.find('_'));
  const auto kind =
      std::find_if(std::begin(kKinds), std::end(kKinds), [&](const auto& row) { return row.first == kind_name; });
  if (kind == std::end(kKinds)) return std::nullopt;
  format.kind = kind->second;
  return format;
}

bool is_depth_or_stencil_format(std::string_view name) {
  constexpr std::string_view kNames[] = {"D16_UNORM",         "X8_D24_UNORM_PACK32", "D32_SFLOAT",        "S8_UINT",
                                         "D16_UNORM_S8_UINT", "D24_UNORM_S8_UINT",   "D32_SFLOAT_S8_UINT"};
  return std::find(std::begin(kNames), std::end(kNames), name) != std::end(kNames);
}

}  // namespace varylink::state
