#include "formats/gfxreconstruct/captured_objects.h"

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "formats/vulkan_json.h"
#include "formats/vulkan_state_json.h"

namespace varylink::formats::gfxreconstruct {
namespace {

constexpr std::uint32_t kPushDescriptors = 1;  // VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT_KHR

constexpr std::string_view kReadElsewhere[] = {"SHADER_MODULE_CREATE_INFO", "PIPELINE_LIBRARY_CREATE_INFO",
                                               "GRAPHICS_PIPELINE_LIBRARY_CREATE_INFO"};

// Names of features that are on, whichever structure has them.
std::set<std::string> features_in(const StrictJson& info) {
  std::set<std::string> names;
  for (const StrictJson& each : chain(info))
    for (const auto& [name, value] : each.members())
      if (value.value() == 1 || value.value() == true) names.insert(name);
  return names;
}

std::set<std::string> extensions_in(const StrictJson& info) {
  std::set<std::string> names;
  for (const StrictJson& each : list(info, "ppEnabledExtensionNames")) names.insert(each.text());
  return names;
}

}  // namespace

Handle handle_in(const StrictJson& json, const char* key) {
  const auto found = member(json, key);
  if (!found || found->value() == "VK_NULL_HANDLE") return 0;
  if (found->value().is_number_unsigned()) return found->value().get<Handle>();
  found->complain("\"" + found->key() + "\" is no handle");
  return 0;
}

void add_chain(const StrictJson& json, Understanding& understanding) {
  for (const StrictJson& each : chain(json)) {
    const std::string type = structure_type(each);
    const ChainedStructure* const known = chained_structure(type);
    if (known != nullptr &&
        std::find(std::begin(kReadElsewhere), std::end(kReadElsewhere), known->name) != std::end(kReadElsewhere))
      continue;
    understanding.add_structure(known, type);
  }
}

std::optional<link::PipelineLayout> read_set_layout(const StrictJson& info) {
  if (const auto flags = member(info, "flags"); flags && (number(*flags) & kPushDescriptors) != 0) return std::nullopt;
  Understanding understanding;
  add_chain(info, understanding);
  if (!understanding.why_not.empty()) return std::nullopt;
  link::PipelineLayout layout;
  read_bindings(info, 0, layout);
  return layout;
}

std::optional<link::PipelineLayout> read_pipeline_layout(const StrictJson& info, const CapturedObjects& objects) {
  Understanding understanding;
  add_chain(info, understanding);
  if (!understanding.why_not.empty()) return std::nullopt;
  link::PipelineLayout layout;
  std::uint32_t set = 0;
  for (const StrictJson& each : list(info, "pSetLayouts")) {
    const std::uint32_t index = set++;
    if (each.value() == "VK_NULL_HANDLE" || each.value() == 0) continue;
    const auto known = each.value().is_number_unsigned() ? objects.set_layouts.find(each.value().get<Handle>())
                                                         : objects.set_layouts.end();
    if (known == objects.set_layouts.end() || !known->second) return std::nullopt;
    for (link::PipelineLayout::Binding binding : known->second->bindings) {
      binding.set = index;
      layout.bindings.push_back(std::move(binding));
    }
  }
  read_push_constants(info, layout);
  return layout;
}

spirv::ValidatorOptions read_target(const StrictJson& info, std::uint32_t api_version) {
  const std::set<std::string> extensions = extensions_in(info), features = features_in(info);
  spirv::ValidatorOptions target;
  target.env = environment_of(api_version, extensions.count("VK_KHR_spirv_1_4") != 0);
  target.scalar_block_layout = features.count("scalarBlockLayout") != 0;
  target.uniform_buffer_standard_layout = features.count("uniformBufferStandardLayout") != 0;
  target.allow_localsizeid = features.count("maintenance4") != 0;
  target.relax_block_layout = extensions.count("VK_KHR_relaxed_block_layout") != 0;
  return target;
}

}  // namespace varylink::formats::gfxreconstruct
