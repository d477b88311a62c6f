#include "verify/needs.h"

#include <algorithm>
#include <bit>
#include <map>

#include "verify/block_array_qualifiers.h"
#include "verify/formats.h"
#include "verify/mesh_array_gaps.h"
#include "verify/position_slice.h"

namespace varylink::verify {
namespace {

using spv::BuiltIn;
using spv::ExecutionMode;

constexpr std::uint32_t kLayers = 4;
constexpr std::uint32_t kViews = 2;
constexpr std::uint32_t kViewports = 4;

Diagnostic cannot(const std::string& what) { return make_error(ErrorKind::usage, {}, what); }

// A descriptor declared as an image in one place and as a sampler in another is a combined one (HLSL style).
bool is_image_and_sampler(ResourceKind a, ResourceKind b) {
  const auto image = [](ResourceKind kind) {
    return kind == ResourceKind::sampled_image || kind == ResourceKind::combined_image_sampler;
  };
  const auto sampler = [](ResourceKind kind) {
    return kind == ResourceKind::sampler || kind == ResourceKind::combined_image_sampler;
  };
  return (image(a) && sampler(b)) || (sampler(a) && image(b));
}

Result<void> merge_resource(Resource& known, const Resource& other) {
  known.count = std::max(known.count, other.count);
  if (known.kind == other.kind) {
    if (other.block.size > known.block.size) known.block = other.block;
    known.texture.compare = known.texture.compare || other.texture.compare;
    return {};
  }
  if (!is_image_and_sampler(known.kind, other.kind))
    return cannot("set " + std::to_string(known.set) + " binding " + std::to_string(known.binding) +
                  " is declared with two descriptor types");
  const bool compare = known.texture.compare || other.texture.compare;
  if (known.kind == ResourceKind::sampler) known.texture = other.texture;
  known.texture.compare = compare;
  known.kind = ResourceKind::combined_image_sampler;
  return {};
}

using ResourceMap = std::map<std::pair<std::uint32_t, std::uint32_t>, Resource>;

Result<void> add_resources(ResourceMap& all, const std::vector<Shader>& shaders, bool only_new) {
  ResourceMap own;
  for (const Shader& shader : shaders) {
    for (const Resource& resource : shader.resources) {
      if (resource.kind == ResourceKind::unknown) return cannot("a descriptor type that the oracle does not know");
      if (resource.block.has_pointers) return cannot("buffer addresses in a block");
      const auto key = std::make_pair(resource.set, resource.binding);
      const auto [entry, is_new] = own.try_emplace(key, resource);
      if (is_new) continue;
      if (const Result<void> merged = merge_resource(entry->second, resource); !merged) return merged.error();
    }
  }
  for (auto& [key, resource] : own) {
    if (all.count(key) == 0)
      all.emplace(key, std::move(resource));
    else if (!only_new)
      all[key] = std::move(resource);
  }
  return {};
}

VkFormat attribute_format(varyings::ScalarType type) {
  const auto pick = [&](VkFormat floating, VkFormat sint, VkFormat uint) {
    return type.kind == varyings::ScalarKind::floating ? floating
           : type.kind == varyings::ScalarKind::sint   ? sint
                                                       : uint;
  };
  switch (type.width) {
    case 16: return pick(VK_FORMAT_R16G16B16A16_SFLOAT, VK_FORMAT_R16G16B16A16_SINT, VK_FORMAT_R16G16B16A16_UINT);
    case 32: return pick(VK_FORMAT_R32G32B32A32_SFLOAT, VK_FORMAT_R32G32B32A32_SINT, VK_FORMAT_R32G32B32A32_UINT);
    case 64: return pick(VK_FORMAT_R64G64B64A64_SFLOAT, VK_FORMAT_R64G64B64A64_SINT, VK_FORMAT_R64G64B64A64_UINT);
    default: return VK_FORMAT_UNDEFINED;
  }
}

Result<void> add_attributes(Needs& needs, const std::vector<Shader>& shaders) {
  for (const Shader& shader : shaders) {
    if (shader.stage != Stage::vertex) continue;
    for (const varyings::InterfaceVariable& variable : shader.inputs) {
      if (variable.unsupported) return cannot("vertex input " + variable.name + ": " + *variable.unsupported);
      for (const varyings::Leaf& leaf : variable.leaves) {
        const auto same = [&](const Attribute& known) { return known.location == leaf.slot.location; };
        if (std::any_of(needs.attributes.begin(), needs.attributes.end(), same)) continue;
        Attribute attribute;
        attribute.location = leaf.slot.location;
        attribute.type = leaf.scalar;
        needs.attributes.push_back(attribute);
      }
    }
  }
  std::sort(needs.attributes.begin(), needs.attributes.end(),
            [](const Attribute& a, const Attribute& b) { return a.location < b.location; });
  return {};
}

Result<void> place_attributes(const Gpu& gpu, Needs& needs, const state::PipelineState& state) {
  for (Attribute& attribute : needs.attributes) {
    const auto given = state.attribute_formats.find(attribute.location);
    const bool is_given = given != state.attribute_formats.end();
    attribute.format = is_given ? format_named(given->second) : attribute_format(attribute.type);
    if (attribute.format == VK_FORMAT_UNDEFINED && is_given)
      return cannot("the oracle has no vertices of the format " + given->second);
    attribute.offset = needs.vertex_stride;
    needs.vertex_stride += 4 * attribute.type.width / 8;
    VkFormatProperties properties{};
    if (attribute.format != VK_FORMAT_UNDEFINED)
      vkGetPhysicalDeviceFormatProperties(gpu.physical, attribute.format, &properties);
    if ((properties.bufferFeatures & VK_FORMAT_FEATURE_VERTEX_BUFFER_BIT) == 0)
      return cannot("the device has no vertex format for " + varyings::text(attribute.type) + " attributes");
  }
  if (needs.attributes.size() > gpu.properties.limits.maxVertexInputAttributes)
    return cannot("more vertex attributes than the device has");
  return {};
}

Result<void> add_targets(const Gpu& gpu, Needs& needs, const std::vector<Shader>& shaders) {
  for (const Shader& shader : shaders) {
    if (shader.stage != Stage::fragment) continue;
    for (const varyings::InterfaceVariable& variable : shader.outputs) {
      if (variable.unsupported) return cannot("fragment output " + variable.name + ": " + *variable.unsupported);
      if (varyings::decorations_of(shader.module, variable.id).value(spv::Decoration::Index).value_or(0) == 1)
        needs.dual_source = true;
      for (const varyings::Leaf& leaf : variable.leaves) {
        if (leaf.slot.location >= gpu.properties.limits.maxColorAttachments)
          return cannot("more fragment outputs than the device has color attachments");
        while (needs.targets.size() <= leaf.slot.location)
          needs.targets.push_back(
              {static_cast<std::uint32_t>(needs.targets.size()), varyings::ScalarKind::floating, false});
        Target& target = needs.targets[leaf.slot.location];
        if (!target.present) target = {leaf.slot.location, leaf.scalar.kind, true};
      }
    }
  }
  return {};
}

bool writes(const std::vector<Shader>& shaders, BuiltIn builtin) {
  return std::any_of(shaders.begin(), shaders.end(), [&](const Shader& shader) {
    return shader.stage != Stage::fragment && shader.builtins_written.count(builtin) != 0;
  });
}

bool reads(const std::vector<Shader>& shaders, BuiltIn builtin) {
  return std::any_of(shaders.begin(), shaders.end(),
                     [&](const Shader& shader) { return shader.builtins_read.count(builtin) != 0; });
}

std::optional<VkPrimitiveTopology> geometry_topology(const Shader& shader) {
  if (shader.has_mode(ExecutionMode::InputPoints)) return VK_PRIMITIVE_TOPOLOGY_POINT_LIST;
  if (shader.has_mode(ExecutionMode::InputLines)) return VK_PRIMITIVE_TOPOLOGY_LINE_LIST;
  if (shader.has_mode(ExecutionMode::InputLinesAdjacency)) return VK_PRIMITIVE_TOPOLOGY_LINE_LIST_WITH_ADJACENCY;
  if (shader.has_mode(ExecutionMode::InputTrianglesAdjacency))
    return VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST_WITH_ADJACENCY;
  return VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;
}

void decide_topology(Needs& needs, const std::vector<Shader>& original) {
  for (const Shader& shader : original) {
    if (shader.stage == Stage::geometry && needs.patch_size == 0) needs.topology = geometry_topology(shader);
    if (shader.stage != Stage::tess_control) continue;
    needs.topology = VK_PRIMITIVE_TOPOLOGY_PATCH_LIST;
    // The size of the input patch is pipeline state. Shaders that pass control points through, nearly all, have as
    // many inputs as outputs.
    needs.patch_size = std::max(1u, shader.output_vertices);
  }
  if (needs.has(Stage::tess_eval) && needs.patch_size == 0) {
    needs.topology = VK_PRIMITIVE_TOPOLOGY_PATCH_LIST;
    needs.patch_size = 3;
  }
}

std::optional<VkPrimitiveTopology> topology_of(const state::PipelineState& state) {
  switch (state.topology) {
    case state::Topology::points: return VK_PRIMITIVE_TOPOLOGY_POINT_LIST;
    case state::Topology::lines: return VK_PRIMITIVE_TOPOLOGY_LINE_LIST;
    case state::Topology::triangles: return VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;
    case state::Topology::patches:
    case state::Topology::unknown: break;
  }
  return std::nullopt;
}

bool has_mesh_doubles(const std::vector<Shader>& shaders) {
  const auto is_double = [](const varyings::Leaf& leaf) { return leaf.scalar.width == 64; };
  return std::any_of(shaders.begin(), shaders.end(), [&](const Shader& shader) {
    return shader.stage == Stage::mesh &&
           std::any_of(shader.outputs.begin(), shader.outputs.end(), [&](const varyings::InterfaceVariable& output) {
             return std::any_of(output.leaves.begin(), output.leaves.end(), is_double);
           });
  });
}

// What a shader declares, the device has to have (Vulkan, "Capabilities").
Result<void> check_features(const Gpu& gpu, const std::vector<Shader>& shaders) {
  for (const Shader& shader : shaders)
    for (const MissingFeature& feature : gpu.abilities.missing)
      if (shader.module.has_capability(feature.capability))
        return cannot("the device has no " + std::string(feature.name) + ", which the " +
                      std::string(short_name(shader.stage)) + " stage needs");
  return {};
}

Result<void> check_device(const Gpu& gpu, const Needs& needs) {
  const VkPhysicalDeviceFeatures& features = gpu.abilities.features;
  if (needs.has(Stage::tess_eval) && features.tessellationShader == VK_FALSE)
    return cannot("the device has no tessellation");
  if (needs.has(Stage::tess_eval) != needs.has(Stage::tess_control))
    return cannot("one tessellation stage without the other (VUID-VkGraphicsPipelineCreateInfo-pStages-00729)");
  if (needs.has(Stage::geometry) && features.geometryShader == VK_FALSE)
    return cannot("the device has no geometry shaders");
  if (needs.has(Stage::mesh) && !gpu.abilities.mesh) return cannot("the device has no mesh shaders");
  if (!needs.has(Stage::mesh) && !needs.has(Stage::vertex)) return cannot("the pipeline has no vertex or mesh stage");
  if (!needs.xfb_buffers.empty() && !gpu.abilities.transform_feedback)
    return cannot("the device has no transform feedback");
  if (needs.views > 0 && !gpu.abilities.multiview) return cannot("the device has no multiview");
  for (const XfbBuffer& buffer : needs.xfb_buffers)
    if (buffer.index >= gpu.abilities.xfb_buffers) return cannot("more transform feedback buffers than the device has");
  for (const Resource& resource : needs.resources)
    if (resource.set >= gpu.properties.limits.maxBoundDescriptorSets)
      return cannot("more descriptor sets than the device has");
  if (needs.push_constants.size > gpu.properties.limits.maxPushConstantsSize)
    return cannot("more push constants than the device has");
  return {};
}

void add_behaviour(const Gpu& gpu, Needs& needs, const std::vector<Shader>& original) {
  for (const Shader& shader : original) {
    needs.stages.push_back(shader.stage);
    if (shader.push_constants.size > needs.push_constants.size) needs.push_constants = shader.push_constants;
    if (shader.stage != Stage::vertex) needs.original_has_discontinuities |= shader.has_discontinuities;
    if (shader.stage == Stage::fragment) needs.fragment_uses_inputs = shader.uses_inputs;
    needs.interpolates_at |= shader.interpolates_at;
    for (const SpecConstant& constant : shader.spec_constants) needs.spec_constants.push_back(constant);
    if (!shader.xfb_buffers.empty()) needs.xfb_buffers = shader.xfb_buffers;
    if (shader.stage == Stage::fragment && shader.samples_differ &&
        (gpu.abilities.sample_counts & VK_SAMPLE_COUNT_4_BIT) != 0)
      needs.samples = VK_SAMPLE_COUNT_4_BIT;
    if (shader.stage == Stage::vertex) needs.vertex_limit = smallest_indexed_array(shader);
  }
  needs.spec_constants_free =
      !needs.spec_constants.empty() &&
      std::none_of(original.begin(), original.end(), [](const Shader& s) { return s.sized_by_spec_constants; });
  if (reads(original, BuiltIn::ViewIndex)) needs.views = kViews;
  if (writes(original, BuiltIn::Layer) && needs.views == 0) needs.layers = kLayers;
  if (writes(original, BuiltIn::ViewportIndex) && gpu.abilities.features.multiViewport == VK_TRUE)
    needs.viewports = kViewports;
  needs.writes_point_size = writes(original, BuiltIn::PointSize);
  decide_topology(needs, original);
}

bool shows_lines_or_points(state::PolygonMode mode) {
  return mode == state::PolygonMode::line || mode == state::PolygonMode::point;
}

// `sizes_differ`: one side only has a PointSize, since linking drops that of what is no point (rule ).
void take_polygon_mode(const Gpu& gpu, state::PolygonMode mode, bool sizes_differ, Needs& needs) {
  if (mode == state::PolygonMode::fill_rectangle)
    needs.not_drawn.push_back("polygonMode FILL_RECTANGLE_NV: the oracle fills polygons");
  if (!shows_lines_or_points(mode)) return;
  if (gpu.abilities.features.fillModeNonSolid == VK_FALSE)
    needs.not_drawn.push_back("polygonMode: the device has no fillModeNonSolid");
  else if (needs.interpolates_at)
    needs.not_drawn.push_back("polygonMode: lavapipe gets InterpolateAt instructions wrong for lines and points");
  else if (mode == state::PolygonMode::line && sizes_differ)
    needs.not_drawn.push_back("polygonMode LINE: lavapipe draws other lines where vertices have a PointSize");
  else
    needs.polygon_mode = mode == state::PolygonMode::line ? VK_POLYGON_MODE_LINE : VK_POLYGON_MODE_POINT;
}

// What the state says goes before what the shaders suggest.
Result<void> take_state(const Gpu& gpu, const state::PipelineState& state, bool sizes_differ, Needs& needs) {
  if (state.samples) {
    if ((gpu.abilities.sample_counts & *state.samples) == 0)
      return cannot("the device has no targets with " + std::to_string(*state.samples) + " samples");
    needs.samples = static_cast<VkSampleCountFlagBits>(*state.samples);
  }
  // See append_topologies in strategy.cpp.
  const bool has_area = state.topology != state::Topology::lines && state.topology != state::Topology::points;
  if (needs.interpolates_at && !has_area)
    return cannot("InterpolateAt instructions are not drawn with lines and points, which lavapipe gets wrong");
  if (state.topology == state::Topology::lines && sizes_differ)
    return cannot("a PointSize of one side only is not drawn with lines, of which lavapipe makes other lines then");
  take_polygon_mode(gpu, state.polygon_mode, sizes_differ, needs);
  if (state.patch_control_points && needs.patch_size > 0) needs.patch_size = *state.patch_control_points;
  if (state.view_mask) {
    const auto views = static_cast<std::uint32_t>(std::bit_width(*state.view_mask));
    if (views >= 32 || *state.view_mask != (1u << views) - 1)
      return cannot("the oracle draws the lowest views of a mask only");
    needs.views = views;
    if (views > 0) needs.layers = 1;
  }
  if (needs.views > 0 && sizes_differ)
    return cannot("several views are not drawn with a PointSize of one side only, which lavapipe gets wrong");
  if (state.attachments)
    for (Target& target : needs.targets) {
      const bool is_given = target.location < state.attachments->size();
      const auto attachment = is_given ? (*state.attachments)[target.location] : state::ColorAttachment{false, {}, 0};
      target.write_mask = attachment.is_used ? attachment.write_mask : 0;
    }
  return {};
}

}  // namespace

bool Needs::has(Stage stage) const { return std::find(stages.begin(), stages.end(), stage) != stages.end(); }

Result<Needs> collect_needs(const Gpu& gpu, const std::vector<Shader>& original, const std::vector<Shader>& linked,
                            const state::PipelineState& state) {
  Needs needs;
  add_behaviour(gpu, needs, original);
  if (!needs.topology) needs.topology = topology_of(state);
  needs.shared_spec_constants = state.shared_spec_constants;
  for (const Shader& shader : linked)
    if (shader.push_constants.size > needs.push_constants.size) needs.push_constants = shader.push_constants;

  ResourceMap resources;
  for (const auto* shaders : {&original, &linked})
    if (Result<void> added = add_resources(resources, *shaders, shaders == &linked); !added) return added.error();
  for (auto& [key, resource] : resources) needs.resources.push_back(std::move(resource));

  for (const auto* shaders : {&original, &linked}) {
    if (gpu.abilities.loses_mesh_doubles && has_mesh_doubles(*shaders))
      return cannot("64-bit outputs of mesh shaders are not drawn, which lavapipe gets wrong");
    if (gpu.abilities.loses_mesh_array_gaps && std::any_of(shaders->begin(), shaders->end(), has_mesh_array_gaps))
      return cannot("mesh outputs of which some elements are never stored are not drawn, which lavapipe gets wrong");
    if (std::any_of(shaders->begin(), shaders->end(), has_mixed_block_arrays))
      return cannot(
          "arrays of blocks whose members are interpolated in several ways are not drawn, which Mesa gets wrong");
    if (Result<void> added = add_attributes(needs, *shaders); !added) return added.error();
    if (Result<void> added = add_targets(gpu, needs, *shaders); !added) return added.error();
  }
  if (Result<void> placed = place_attributes(gpu, needs, state); !placed) return placed.error();

  const bool sizes_differ = writes(original, BuiltIn::PointSize) != writes(linked, BuiltIn::PointSize);
  if (Result<void> taken = take_state(gpu, state, sizes_differ, needs); !taken) return taken.error();
  const PositionSources sources = position_sources(original);
  needs.position_needs_index = sources.vertex_index;
  for (Attribute& attribute : needs.attributes)
    attribute.feeds_position = sources.locations.count(attribute.location) != 0;
  for (Attribute& attribute : needs.attributes)
    attribute.per_instance = state.instance_rate_attributes.count(attribute.location) != 0;
  if (Result<void> possible = check_device(gpu, needs); !possible) return possible.error();
  if (Result<void> possible = check_features(gpu, original); !possible) return possible.error();
  return needs;
}

}  // namespace varylink::verify
