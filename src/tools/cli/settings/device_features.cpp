#include "cli/settings/device_features.h"

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <utility>

namespace varylink::cli {
namespace {

using Json = nlohmann::json;
using Version = std::pair<unsigned, unsigned>;  // major, minor

struct ProfileFacts {
  std::set<std::string> on, off, extensions;
  std::optional<Version> version;  // the lowest
};

// The object at a key; an empty one if there is none.
const Json& object_at(const Json& object, const char* key) {
  static const Json kNone = Json::object();
  const auto found = object.find(key);
  return found != object.end() && found->is_object() ? *found : kNone;
}

// "1.3.204", or the number of VkPhysicalDeviceProperties (Vulkan, "Version Numbers").
std::optional<Version> version_of(const Json& value) {
  if (value.is_number_unsigned()) {
    const auto number = value.get<std::uint32_t>();
    return Version{number >> 22 & 0x7f, number >> 12 & 0x3ff};
  }
  if (!value.is_string()) return std::nullopt;
  const std::string text = value.get<std::string>();
  Version version;
  const auto [dot, bad_major] = std::from_chars(text.data(), text.data() + text.size(), version.first);
  if (bad_major != std::errc() || dot == text.data() + text.size() || *dot != '.') return std::nullopt;
  const auto [end, bad_minor] = std::from_chars(dot + 1, text.data() + text.size(), version.second);
  return bad_minor == std::errc() ? std::optional(version) : std::nullopt;
}

void add_version(const Json& object, const char* key, ProfileFacts& found) {
  const auto given = object.find(key);
  if (given == object.end()) return;
  if (const auto version = version_of(*given)) found.version = std::min(found.version.value_or(*version), *version);
}

ProfileFacts read(const Json& root) {
  ProfileFacts found;
  for (const Json& capability : object_at(root, "capabilities")) {
    if (!capability.is_object()) continue;
    for (const Json& structure : object_at(capability, "features")) {
      if (!structure.is_object()) continue;
      for (const auto& [name, value] : structure.items())
        if (value.is_boolean()) (value.get<bool>() ? found.on : found.off).insert(name);
    }
    for (const auto& [name, version] : object_at(capability, "extensions").items()) found.extensions.insert(name);
    add_version(object_at(object_at(capability, "properties"), "VkPhysicalDeviceProperties"), "apiVersion", found);
  }
  for (const Json& profile : object_at(root, "profiles"))
    if (profile.is_object()) add_version(profile, "api-version", found);
  return found;
}

std::string environment(const ProfileFacts& found) {
  if (!found.version || *found.version > Version{1, 3}) return {};
  if (*found.version == Version{1, 1} && found.extensions.count("VK_KHR_spirv_1_4") != 0) return "vulkan1.1spv1.4";
  return "vulkan" + std::to_string(found.version->first) + "." + std::to_string(found.version->second);
}

}  // namespace

Result<DeviceFeatures> parse_device_features(std::string_view json, const std::string& file) {
  const Json root = Json::parse(json, nullptr, false);
  if (root.is_discarded() || !root.is_object() || !root.contains("capabilities"))
    return make_error(ErrorKind::usage, file, "is no Vulkan profile: a JSON object with \"capabilities\"");
  const ProfileFacts found = read(root);
  const auto is_on = [&](const char* feature) { return found.on.count(feature) != 0 && found.off.count(feature) == 0; };
  DeviceFeatures features;
  features.scalar_block_layout = is_on("scalarBlockLayout");
  features.uniform_buffer_standard_layout = is_on("uniformBufferStandardLayout");
  features.allow_localsizeid = is_on("maintenance4");
  features.relax_block_layout = found.extensions.count("VK_KHR_relaxed_block_layout") != 0;
  features.target_env = environment(found);
  return features;
}

}  // namespace varylink::cli
