// Reflection of one stage for the oracle: the resources to bind, the built-ins it touches, its side effects.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/result.h"
#include "link/model/pipeline.h"
#include "varyings/reflect/interface_variable.h"
#include "verify/block_layout.h"

namespace varylink::verify {

enum class ResourceKind {
  uniform_buffer,
  storage_buffer,
  sampler,
  combined_image_sampler,
  sampled_image,
  storage_image,
  uniform_texel_buffer,
  storage_texel_buffer,
  input_attachment,
  unknown,
};

struct TextureShape {
  spv::Dim dim = spv::Dim::Dim2D;
  bool arrayed = false;
  bool multisampled = false;
  bool compare = false;  // sampled with a depth reference
  varyings::ScalarType sampled;
  spv::ImageFormat format = spv::ImageFormat::Unknown;  // of storage images
};

// A descriptor binding that the stage statically uses.
struct Resource {
  std::uint32_t set = 0, binding = 0;
  std::uint32_t count = 1;  // array elements
  ResourceKind kind = ResourceKind::unknown;
  BlockLayout block;     // of buffers
  TextureShape texture;  // of everything with texels; `compare` also of samplers
  std::uint32_t attachment_index = 0;
};

struct SpecConstant {
  std::uint32_t id = 0;       // SpecId
  varyings::ScalarType type;  // width 32 and kind boolean for booleans
  std::uint64_t value = 0;
  spirv::Id type_id = 0;  // in the module
};

struct XfbBuffer {
  std::uint32_t index = 0;
  std::uint32_t stride = 0;           // bytes between the records of two vertices
  std::vector<std::uint32_t> floats;  // where a record holds 32-bit floats, in bytes
};

struct Shader {
  Stage stage = Stage::vertex;
  std::string file;
  std::vector<std::uint32_t> words;
  spirv::Module module;
  varyings::Entry entry;

  std::vector<Resource> resources;
  BlockLayout push_constants;
  std::vector<SpecConstant> spec_constants;
  // Constants that the application gives values, where the stage is drawn as it was before they became constants.
  std::vector<SpecConstant> given;
  bool sized_by_spec_constants = false;  // some array length depends on one
  std::vector<varyings::InterfaceVariable> inputs, outputs;
  std::set<spv::BuiltIn> builtins_read, builtins_written;  // by accesses that the code really makes
  std::vector<XfbBuffer> xfb_buffers;                      // empty unless the entry point captures
  bool has_discontinuities = false;  // comparisons, rounding, conversion to integers, texel fetches, discards
  bool samples_differ = false;       // its result depends on where in the pixel it is sampled
  bool interpolates_at = false;      // it has InterpolateAtCentroid, InterpolateAtSample or InterpolateAtOffset
  bool uses_inputs = false;          // its code reads user-defined inputs

  bool has_mode(spv::ExecutionMode mode) const { return modes.count(mode) != 0; }
  std::set<spv::ExecutionMode> modes;
  std::uint32_t output_vertices = 0;  // operand of the mode OutputVertices, 0 if absent
};

// Reads and reflects one stage. Errors: invalid_spirv, usage (no such entry point).
Result<Shader> reflect_shader(const link::StageInput& input);

// A stage whose specialization constants have become constants, as it was before, with the values to give to the driver
// in `given`: so the driver shows the meaning of the values to Vulkan. None if it is as it came.
Result<std::optional<Shader>> reflect_unspecialized(const link::StageInput& stage);

}  // namespace varylink::verify
