#include "verify/given_targets.h"

#include "verify/formats.h"

namespace varylink::verify {
namespace {

bool takes(const state::VulkanFormat& format, varyings::ScalarKind kind) {
  if (kind == varyings::ScalarKind::sint) return format.is_signed_integer();
  if (kind == varyings::ScalarKind::uint) return format.is_unsigned_integer();
  return format.is_float();
}

bool is_wide(const state::VulkanFormat& format) {
  for (const std::uint8_t bits : format.bits)
    if (bits < 32) return false;
  return true;
}

bool device_has(const Gpu& gpu, const std::string& format, VkFormatFeatureFlags features) {
  const VkFormat known = format_named(format);
  if (known == VK_FORMAT_UNDEFINED) return false;
  VkFormatProperties properties{};
  vkGetPhysicalDeviceFormatProperties(gpu.physical, known, &properties);
  return (properties.optimalTilingFeatures & features) == features;
}

// True if the format has become that of the target.
bool give_format(const Gpu& gpu, const std::string& name, Target& target, std::vector<std::string>& not_drawn) {
  const std::optional<state::VulkanFormat> format = state::find_format(name);
  if (!format || !takes(*format, target.kind) || is_wide(*format)) return false;
  if (!device_has(gpu, name, VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BIT | VK_FORMAT_FEATURE_BLIT_SRC_BIT)) {
    not_drawn.push_back("format " + name + " of location " + std::to_string(target.location) +
                        ": the device does not draw to it");
    return false;
  }
  target.format = name;
  return true;
}

// Likewise for depth and stencil, which one image holds.
bool give_depth(const Gpu& gpu, const state::PipelineState& state, Needs& given, std::vector<std::string>& not_drawn) {
  const bool no_depth = state.depth_format == "UNDEFINED";
  const std::string& name = no_depth ? state.stencil_format : state.depth_format;
  if (name.empty() || name == "D32_SFLOAT") return false;
  if (name == "UNDEFINED") {
    given.depth_format = VK_FORMAT_UNDEFINED;
    return true;
  }
  if (!device_has(gpu, name, VK_FORMAT_FEATURE_DEPTH_STENCIL_ATTACHMENT_BIT)) {
    not_drawn.push_back("format " + name + ": the device has no such depth attachment");
    return false;
  }
  given.depth_format = format_named(name);
  return true;
}

}  // namespace

std::optional<Needs> with_given_targets(const Gpu& gpu, const state::PipelineState& state, Needs& needs) {
  Needs given = needs;
  bool changes = give_depth(gpu, state, given, needs.not_drawn);
  if (state.attachments)
    for (Target& target : given.targets) {
      if (!target.present || target.location >= state.attachments->size()) continue;
      const state::ColorAttachment& attachment = (*state.attachments)[target.location];
      if (attachment.is_used && !attachment.format.empty())
        changes |= give_format(gpu, attachment.format, target, needs.not_drawn);
    }
  if (!changes) return std::nullopt;
  if (needs.has(Stage::mesh) && gpu.abilities.leaves_mesh_targets_empty) {
    needs.not_drawn.push_back("formats of attachments: lavapipe leaves attachments of mesh pipelines empty");
    return std::nullopt;
  }
  return given;
}

}  // namespace varylink::verify
