#include "verify/shader.h"

#include <algorithm>
#include <map>

#include "spirv/ir/globals.h"
#include "spirv/ir/operations.h"
#include "spirv/ir/pointer_path.h"
#include "spirv/tools/binary.h"
#include "spirv/tools/specialize.h"
#include "varyings/reflect/capture.h"
#include "verify/reflect_code.h"

namespace varylink::verify {
namespace {

using spv::Decoration;
using spv::Op;
using spv::StorageClass;

// Elements of descriptor arrays without a length.
constexpr std::uint32_t kRuntimeDescriptors = 8;

TextureShape texture_shape(const spirv::Module& module, spirv::Id image_type) {
  const auto operands = module.operands(module.def(image_type));
  TextureShape shape;
  shape.sampled = varyings::scalar_type_of(module, operands[0].word).value_or(varyings::ScalarType{});
  shape.dim = static_cast<spv::Dim>(operands[1].word);
  shape.compare = operands[2].word == 1;
  shape.arrayed = operands[3].word == 1;
  shape.multisampled = operands[4].word == 1;
  shape.format = static_cast<spv::ImageFormat>(operands[6].word);
  return shape;
}

ResourceKind image_kind(const spirv::Module& module, spirv::Id image_type) {
  const auto operands = module.operands(module.def(image_type));
  const auto dim = static_cast<spv::Dim>(operands[1].word);
  const bool storage = operands[5].word == 2;
  if (dim == spv::Dim::SubpassData) return ResourceKind::input_attachment;
  if (dim == spv::Dim::Buffer) return storage ? ResourceKind::storage_texel_buffer : ResourceKind::uniform_texel_buffer;
  return storage ? ResourceKind::storage_image : ResourceKind::sampled_image;
}

// Fills kind, block and texture of a descriptor whose element type is `type`.
void describe_type(const spirv::Module& module, spirv::Id type, StorageClass storage, Resource& resource) {
  switch (spirv::type_kind(module, type)) {
    case spirv::TypeKind::structure: {
      const bool buffer_block = varyings::decorations_of(module, type).has(Decoration::BufferBlock);
      resource.kind = storage == StorageClass::StorageBuffer || buffer_block ? ResourceKind::storage_buffer
                                                                             : ResourceKind::uniform_buffer;
      resource.block = block_layout(module, type);
      break;
    }
    case spirv::TypeKind::sampler: resource.kind = ResourceKind::sampler; break;
    case spirv::TypeKind::sampled_image: {
      const spirv::Id image = module.operand(module.def(type), 0).word;
      resource.texture = texture_shape(module, image);
      const bool buffer = resource.texture.dim == spv::Dim::Buffer;
      resource.kind = buffer ? ResourceKind::uniform_texel_buffer : ResourceKind::combined_image_sampler;
      break;
    }
    case spirv::TypeKind::image:
      resource.kind = image_kind(module, type);
      resource.texture = texture_shape(module, type);
      break;
    default: resource.kind = ResourceKind::unknown; break;
  }
}

std::optional<Resource> reflect_resource(const spirv::Module& module, spirv::Id variable, StorageClass storage) {
  const varyings::Decorations decorations = varyings::decorations_of(module, variable);
  const auto binding = decorations.value(Decoration::Binding);
  if (!binding) return std::nullopt;
  Resource resource;
  resource.set = decorations.value(Decoration::DescriptorSet).value_or(0);
  resource.binding = *binding;
  resource.attachment_index = decorations.value(Decoration::InputAttachmentIndex).value_or(0);
  spirv::Id type = spirv::pointee_type(module, module.type_of(variable));
  while (module.def_op(type) == Op::OpTypeArray || module.def_op(type) == Op::OpTypeRuntimeArray) {
    const bool runtime = module.def_op(type) == Op::OpTypeRuntimeArray;
    resource.count *= runtime ? kRuntimeDescriptors : std::max(1u, default_array_length(module, type));
    type = module.operand(module.def(type), 0).word;
  }
  describe_type(module, type, storage, resource);
  return resource;
}

// Ids of the images and samplers that are used with a depth reference.
std::set<spirv::Id> compared_variables(const spirv::Module& module) {
  std::set<spirv::Id> result;
  for (const spirv::Function& function : module.functions)
    for (const spirv::Block& block : function.blocks)
      for (const spirv::InstRef ref : block.body) {
        const Op op = module[ref].op;
        const bool with_reference =
            (op >= Op::OpImageSampleDrefImplicitLod && op <= Op::OpImageSampleDrefExplicitLod) ||
            op == Op::OpImageSampleProjDrefImplicitLod || op == Op::OpImageSampleProjDrefExplicitLod ||
            op == Op::OpImageDrefGather;
        if (!with_reference) continue;
        const spirv::Id sampled = module.operand(ref, 0).word;
        result.insert(spirv::variable_behind(module, sampled));
        if (module.def_op(sampled) == Op::OpSampledImage)
          result.insert(spirv::variable_behind(module, module.operand(module.def(sampled), 1).word));
      }
  return result;
}

void reflect_globals(Shader& shader, const std::vector<bool>& used) {
  const spirv::Module& module = shader.module;
  const std::set<spirv::Id> compared = compared_variables(module);
  for (const spirv::InstRef ref : module.types) {
    const spirv::Inst& inst = module[ref];
    if (inst.op != Op::OpVariable || !used[inst.result]) continue;
    const auto storage = static_cast<StorageClass>(module.operand(ref, 0).word);
    if (storage == StorageClass::PushConstant)
      shader.push_constants = block_layout(module, spirv::pointee_type(module, inst.type));
    if (storage != StorageClass::Uniform && storage != StorageClass::StorageBuffer &&
        storage != StorageClass::UniformConstant)
      continue;
    std::optional<Resource> resource = reflect_resource(module, inst.result, storage);
    if (!resource) continue;
    if (compared.count(inst.result) != 0)
      resource->texture.compare = true;
    else if (resource->kind != ResourceKind::combined_image_sampler)
      resource->texture.compare = false;
    shader.resources.push_back(std::move(*resource));
  }
}

// The literal of an OpSpecConstant (low word first) or 0 / 1 of a boolean one.
std::uint64_t literal_of(const spirv::Module& module, spirv::InstRef ref) {
  const Op op = module[ref].op;
  if (op == Op::OpSpecConstantTrue) return 1;
  if (op == Op::OpSpecConstantFalse) return 0;
  std::uint64_t value = module.operand(ref, 0).word;
  if (module.operands(ref).size() > 1) value |= static_cast<std::uint64_t>(module.operand(ref, 1).word) << 32;
  return value;
}

void reflect_spec_constants(Shader& shader) {
  const spirv::Module& module = shader.module;
  std::map<std::uint32_t, SpecConstant> found;
  for (const spirv::InstRef ref : module.types) {
    const spirv::Inst& inst = module[ref];
    if (inst.op == Op::OpTypeArray) {
      const Op length = module.def_op(module.operand(ref, 1).word);
      if (length != Op::OpConstant) shader.sized_by_spec_constants = true;
    }
    const bool boolean = inst.op == Op::OpSpecConstantTrue || inst.op == Op::OpSpecConstantFalse;
    if (inst.op != Op::OpSpecConstant && !boolean) continue;
    const auto id = varyings::decorations_of(module, inst.result).value(Decoration::SpecId);
    if (!id) continue;
    SpecConstant constant;
    constant.id = *id;
    constant.type = boolean ? varyings::ScalarType{varyings::ScalarKind::boolean, 32}
                            : varyings::scalar_type_of(module, inst.type).value_or(varyings::ScalarType{});
    constant.type_id = inst.type;
    constant.value = literal_of(module, ref);
    found.emplace(*id, constant);
  }
  for (const auto& [id, constant] : found) shader.spec_constants.push_back(constant);
}

void reflect_modes(Shader& shader) {
  for (const spirv::InstRef ref : shader.module.execution_modes) {
    const auto operands = shader.module.operands(ref);
    if (operands.size() < 2 || operands[0].word != shader.entry.function) continue;
    const auto mode = static_cast<spv::ExecutionMode>(operands[1].word);
    shader.modes.insert(mode);
    if (mode == spv::ExecutionMode::OutputVertices && operands.size() > 2) shader.output_vertices = operands[2].word;
  }
}

XfbBuffer& xfb_buffer(Shader& shader, const varyings::XfbPlace& place) {
  const auto known = [&](const XfbBuffer& buffer) { return buffer.index == place.buffer; };
  auto found = std::find_if(shader.xfb_buffers.begin(), shader.xfb_buffers.end(), known);
  if (found == shader.xfb_buffers.end()) found = shader.xfb_buffers.insert(found, {place.buffer, place.stride, {}});
  return *found;
}

void reflect_xfb(Shader& shader) {
  for (const varyings::Capture& capture : varyings::captures(shader.module, shader.entry)) {
    if (capture.place.stride == 0) continue;
    XfbBuffer& buffer = xfb_buffer(shader, capture.place);
    if (capture.scalar != varyings::ScalarType{varyings::ScalarKind::floating, 32}) continue;
    for (std::uint32_t offset = capture.place.offset; offset < capture.end(); offset += 4)
      buffer.floats.push_back(offset);
  }
}

}  // namespace

Result<Shader> reflect_shader(const link::StageInput& input) {
  Result<spirv::Module> module = spirv::read_module(input.words, input.file);
  if (!module) return module.error();
  Result<varyings::Entry> entry = varyings::find_entry(*module, input.stage, input.entry_point, input.file);
  if (!entry) return entry.error();

  Shader shader;
  shader.stage = input.stage;
  shader.file = input.file;
  shader.words = input.words;
  shader.module = std::move(*module);
  shader.entry = std::move(*entry);
  shader.inputs = varyings::interface_variables(shader.module, shader.entry, varyings::Direction::input);
  shader.outputs = varyings::interface_variables(shader.module, shader.entry, varyings::Direction::output);

  const auto functions = call_tree(shader.module, shader.entry.function);
  const std::vector<bool> used = used_ids(shader.module, functions);
  for (const varyings::InterfaceVariable& variable : shader.inputs) shader.uses_inputs |= used[variable.id];
  reflect_modes(shader);
  reflect_globals(shader, used);
  reflect_spec_constants(shader);
  reflect_xfb(shader);
  reflect_code(shader, functions);
  return shader;
}

Result<std::optional<Shader>> reflect_unspecialized(const link::StageInput& stage) {
  if (stage.unspecialized.empty()) return std::optional<Shader>();
  link::StageInput open = stage;
  open.words = stage.unspecialized;
  Result<Shader> shader = reflect_shader(open);
  if (!shader) return shader.error();
  for (SpecConstant constant : shader->spec_constants) {
    const auto value = stage.specialization.find(constant.id);
    if (value == stage.specialization.end()) continue;
    const auto bits = spirv::specialization_bits(shader->module, constant.type_id, value->second);
    if (!bits) continue;  // linking said so
    constant.value = *bits;
    shader->given.push_back(constant);
  }
  return std::optional<Shader>(std::move(*shader));
}

}  // namespace varylink::verify
