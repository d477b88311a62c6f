// The resources that both pipelines need to be drawn: the union over their stages. The original describes a resource
// wherever it declares it, so that both get the same.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "verify/gpu.h"
#include "verify/shader.h"

namespace varylink::verify {

// One location of the vertex input.
struct Attribute {
  std::uint32_t location = 0;
  varyings::ScalarType type;
  std::uint32_t components = 4;
  bool feeds_position = false;            // the clip position of the original depends on it
  std::uint32_t offset = 0;               // bytes inside a vertex
  VkFormat format = VK_FORMAT_UNDEFINED;  // of the state, or four components of `type`
  bool per_instance = false;              // VK_VERTEX_INPUT_RATE_INSTANCE
};

// One color attachment.
struct Target {
  std::uint32_t location = 0;
  varyings::ScalarKind kind = varyings::ScalarKind::floating;
  bool present = true;  // false: a gap in the locations
  VkColorComponentFlags write_mask = 0xf;
  std::string format;  // of the state, without VK_FORMAT_; empty: four components of 32 bits
};

struct Needs {
  std::vector<Resource> resources;  // one per set and binding, ordered
  BlockLayout push_constants;
  std::vector<SpecConstant> spec_constants;  // of the original
  bool spec_constants_free = false;          // other values than the defaults may be given
  bool shared_spec_constants = false;        // every stage has to get the same ones
  std::vector<Attribute> attributes;         // by location
  std::uint32_t vertex_stride = 0;
  std::vector<Target> targets;  // by location, from 0 on without gaps
  std::vector<XfbBuffer> xfb_buffers;
  std::vector<Stage> stages;  // of the original, in pipeline order

  VkSampleCountFlagBits samples = VK_SAMPLE_COUNT_1_BIT;
  std::uint32_t layers = 1;
  std::uint32_t views = 0;  // 0: no multiview
  std::uint32_t viewports = 1;
  VkFormat depth_format = VK_FORMAT_D32_SFLOAT;  // VK_FORMAT_UNDEFINED: no depth attachment
  VkPolygonMode polygon_mode = VK_POLYGON_MODE_FILL;
  bool dual_source = false;

  // The only topology that fits; none: triangles, lines and points all do.
  std::optional<VkPrimitiveTopology> topology;
  bool writes_point_size = false;
  bool interpolates_at = false;               // the fragment stage of the original has InterpolateAt instructions
  std::uint32_t patch_size = 0;               // control points of an input patch, 0 without tessellation
  bool position_needs_index = false;          // the clip position depends on VertexIndex
  std::uint32_t vertex_limit = 0xffffffffu;   // a local array of that many elements is indexed dynamically
  bool original_has_discontinuities = false;  // of any stage behind the vertex stage
  bool fragment_uses_inputs = false;          // the fragment stage reads varyings

  std::vector<std::string> not_drawn;  // facts of the state that the pictures do not have, each with the reason

  bool has(Stage stage) const;
};

// Errors (ErrorKind::usage) name features that the device or the oracle lacks.
Result<Needs> collect_needs(const Gpu& gpu, const std::vector<Shader>& original, const std::vector<Shader>& linked,
                            const state::PipelineState& state);

}  // namespace varylink::verify
