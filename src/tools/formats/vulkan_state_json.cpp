#include "formats/vulkan_state_json.h"

#include <string>
#include <vector>

#include "formats/vulkan_json.h"

namespace varylink::formats {
namespace {

std::string format_of(const StrictJson& reference, const std::vector<std::string>& formats) {
  const auto attachment = reference.need("attachment");
  if (!attachment) return {};
  const std::uint32_t index = number(*attachment);
  if (index == ~0u) return "UNDEFINED";
  if (index < formats.size()) return formats[index];
  attachment->complain("there is no attachment " + std::to_string(index));
  return {};
}

std::uint32_t view_mask(const StrictJson& pass, const StrictJson& subpass, std::uint32_t index) {
  if (const auto views = member(subpass, "viewMask")) return number(*views);
  for (const StrictJson& each : chain(pass))
    if (structure_type(each).starts_with("RENDER_PASS_MULTIVIEW_CREATE_INFO"))
      if (const std::vector<StrictJson> masks = list(each, "pViewMasks"); index < masks.size())
        return number(masks[index]);
  return 0;
}

}  // namespace

void read_vertex_input(const StrictJson& input, CreateInfo& info) {
  for (const StrictJson& each : list(input, "pVertexBindingDescriptions")) {
    const auto binding = each.need("binding"), rate = each.need("inputRate");
    if (!binding || !rate) return;
    info.binding_is_per_instance[number(*binding)] = enumerant(*rate, "VK_VERTEX_INPUT_RATE_") == "INSTANCE";
  }
  for (const StrictJson& each : list(input, "pVertexAttributeDescriptions")) {
    const auto location = each.need("location"), binding = each.need("binding"), format = each.need("format");
    if (!location || !binding || !format) return;
    info.attributes.push_back({number(*location), number(*binding), enumerant(*format, "VK_FORMAT_")});
  }
}

void read_samples(const StrictJson& samples, CreateInfo& info) {
  if (const auto count = member(samples, "rasterizationSamples")) info.samples = sample_count(*count);
  if (const auto enable = member(samples, "sampleShadingEnable")) info.sample_shading = flag(*enable);
  if (const auto enable = member(samples, "alphaToCoverageEnable")) info.alpha_to_coverage = flag(*enable);
}

void read_provoking_vertex(const StrictJson& rasterization, CreateInfo& info) {
  info.provoking_vertex = "FIRST_VERTEX_EXT";
  for (const StrictJson& each : chain(rasterization))
    if (structure_type(each) == "PIPELINE_RASTERIZATION_PROVOKING_VERTEX_STATE_CREATE_INFO_EXT")
      if (const auto mode = each.need("provokingVertexMode"))
        info.provoking_vertex = enumerant(*mode, "VK_PROVOKING_VERTEX_MODE_");
}

void read_write_masks(const StrictJson& blend, CreateInfo& info) {
  for (const StrictJson& each : list(blend, "pAttachments")) {
    const auto mask = member(each, "colorWriteMask");
    info.write_masks.push_back(mask ? color_components(*mask) : 0xf);
  }
}

void read_dynamic_states(const StrictJson& pipeline, CreateInfo& info) {
  if (const auto dynamic = member(pipeline, "pDynamicState"))
    for (const StrictJson& each : list(*dynamic, "pDynamicStates"))
      info.dynamic_states.push_back(enumerant(each, "VK_DYNAMIC_STATE_"));
}

void read_dynamic_rendering(const StrictJson& rendering, CreateInfo& info) {
  info.color_formats.emplace();
  for (const StrictJson& each : list(rendering, "pColorAttachmentFormats"))
    info.color_formats->push_back(enumerant(each, "VK_FORMAT_"));
  if (const auto format = member(rendering, "depthAttachmentFormat"))
    info.depth_format = enumerant(*format, "VK_FORMAT_");
  if (const auto format = member(rendering, "stencilAttachmentFormat"))
    info.stencil_format = enumerant(*format, "VK_FORMAT_");
  const auto views = member(rendering, "viewMask");
  info.view_mask = views ? number(*views) : 0;
}

void read_subpass(const StrictJson& pass, std::uint32_t index, CreateInfo& info) {
  std::vector<std::string> formats;
  for (const StrictJson& each : list(pass, "pAttachments")) {
    const auto format = each.need("format");
    if (!format) return;
    formats.push_back(enumerant(*format, "VK_FORMAT_"));
  }
  const std::vector<StrictJson> subpasses = list(pass, "pSubpasses");
  if (index >= subpasses.size()) return pass.complain("there is no subpass " + std::to_string(index));
  const StrictJson& subpass = subpasses[index];
  info.color_formats.emplace();
  for (const StrictJson& each : list(subpass, "pColorAttachments"))
    info.color_formats->push_back(format_of(each, formats));
  const auto depth = member(subpass, "pDepthStencilAttachment");
  const std::string format = depth ? format_of(*depth, formats) : "UNDEFINED";
  info.depth_format = depth_part(format);
  info.stencil_format = stencil_part(format);
  info.view_mask = view_mask(pass, subpass, index);
}

SpecializationData read_map_entries(const StrictJson& specialization) {
  SpecializationData data;
  for (const StrictJson& each : list(specialization, "pMapEntries")) {
    const auto id = each.need("constantID"), offset = each.need("offset"), size = each.need("size");
    if (!id || !offset || !size) return {};
    data.entries.push_back({number(*id), number(*offset), number(*size)});
  }
  return data;
}

void read_bindings(const StrictJson& set_layout, std::uint32_t set, link::PipelineLayout& layout) {
  for (const StrictJson& binding : list(set_layout, "pBindings")) {
    const auto index = binding.need("binding"), stages = binding.need("stageFlags");
    if (!index || !stages) return;
    layout.bindings.push_back({set, number(*index), stages_of_mask(shader_stages(*stages))});
  }
}

void read_push_constants(const StrictJson& pipeline_layout, link::PipelineLayout& layout) {
  for (const StrictJson& each : list(pipeline_layout, "pPushConstantRanges")) {
    const auto stages = each.need("stageFlags"), offset = each.need("offset"), size = each.need("size");
    if (!stages || !offset || !size) return;
    layout.push_constants.push_back({number(*offset), number(*size), stages_of_mask(shader_stages(*stages))});
  }
}

}  // namespace varylink::formats
