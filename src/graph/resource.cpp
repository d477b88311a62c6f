#include "graph/resource.h"

#include <algorithm>

#include "base/seeded_fault.h"
#include "spirv/ir/globals.h"
#include "spirv/ir/uses.h"
#include "varyings/reflect/interface_variable.h"

namespace varylink::graph {
namespace {

using spirv::Id;
using spirv::InstRef;
using spv::Decoration;
using spv::Op;

bool is_buffer_class(spv::StorageClass storage) {
  return storage == spv::StorageClass::Uniform || storage == spv::StorageClass::PushConstant;
}

}  // namespace

Resources::Resources(const spirv::Module& module, std::span<const Id> used) : module_(module), reads_(module) {
  const spirv::Uses uses(module);
  for (const InstRef inst : module.types) {
    if (module[inst].op != Op::OpVariable) continue;
    const auto storage = static_cast<spv::StorageClass>(module.operand(inst, 0).word);
    if (!is_buffer_class(storage)) continue;
    Buffer buffer;
    buffer.variable = module[inst].result;
    buffer.block = spirv::pointee_type(module, module[inst].type);
    buffer.key.storage = storage;
    buffer.key.set = reads_.layout().decoration(buffer.variable, Decoration::DescriptorSet).value_or(0);
    buffer.key.binding = reads_.layout().decoration(buffer.variable, Decoration::Binding).value_or(0);
    if (module.def_op(buffer.block) == Op::OpTypeArray) {
      buffer.key.arrayed = true;
      buffer.elements = spirv::element_count(module, buffer.block);
      buffer.block = spirv::element_type(module, buffer.block);
    }
    // A structure decorated BufferBlock is a storage buffer of old modules, which shaders may write.
    if (module.def_op(buffer.block) != Op::OpTypeStruct || !reads_.layout().decoration(buffer.block, Decoration::Block))
      continue;
    buffer.used =
        !uses.of(buffer.variable).empty() || std::find(used.begin(), used.end(), buffer.variable) != used.end();
    buffers_.push_back(buffer);
  }
}

std::optional<std::vector<ResourceKey>> Resources::keys_of_load(InstRef load) const {
  if (!reads_.is_constant(load)) return std::nullopt;
  std::vector<Id> indices;
  Id pointer = module_.operand(load, 0).word;
  for (Op op = module_.def_op(pointer); op == Op::OpAccessChain || op == Op::OpInBoundsAccessChain;
       op = module_.def_op(pointer)) {
    const auto operands = module_.operands(module_.def(pointer));
    std::vector<Id> outer;
    for (std::size_t i = 1; i < operands.size(); ++i) outer.push_back(operands[i].word);
    indices.insert(indices.begin(), outer.begin(), outer.end());
    pointer = operands[0].word;
  }
  const auto buffer = std::find_if(buffers_.begin(), buffers_.end(),
                                   [&](const Buffer& candidate) { return candidate.variable == pointer; });
  if (buffer == buffers_.end()) return std::nullopt;
  std::vector<std::uint32_t> path;
  for (const Id id : indices) {
    const auto index = varyings::constant_int(module_, id);
    if (!index || *index < 0) return std::nullopt;
    path.push_back(static_cast<std::uint32_t>(*index));
  }
  return keys_below(*buffer, path);
}

std::optional<std::vector<ResourceKey>> Resources::keys_below(const Buffer& buffer,
                                                              std::span<const std::uint32_t> path) const {
  ResourceKey key = buffer.key;
  if (key.arrayed) {
    if (path.empty() || path.front() >= buffer.elements) return std::nullopt;
    key.element = path.front();
    path = path.subspan(1);
  }
  std::optional<Cursor> cursor = Cursor{buffer.block, 0, 0, false};
  for (const std::uint32_t index : path)
    if (cursor) cursor = reads_.layout().step(*cursor, index);
  if (!cursor) return std::nullopt;
  const auto scalar = varyings::scalar_type_of(module_, cursor->type);
  if (!scalar || scalar->width != 32) return std::nullopt;

  std::vector<ResourceKey> keys;
  std::vector<Cursor> parts = {*cursor};
  while (module_.def_op(parts.front().type) == Op::OpTypeMatrix ||
         module_.def_op(parts.front().type) == Op::OpTypeVector) {
    std::vector<Cursor> smaller;
    for (const Cursor& part : parts)
      for (std::uint32_t i = 0; i < spirv::element_count(module_, part.type); ++i) {
        const auto inner = reads_.layout().step(part, i);
        if (!inner) return std::nullopt;
        smaller.push_back(*inner);
      }
    parts = std::move(smaller);
  }
  for (const Cursor& part : parts) {
    key.offset = part.offset;
    keys.push_back(key);
  }
  return keys;
}

const std::vector<Resources::Member>& Resources::members_of(Id structure) const {
  const auto [found, is_new] = members_.try_emplace(structure);
  std::vector<Member>& members = found->second;
  if (!is_new) return members;
  for (std::uint32_t i = 0; i < spirv::element_count(module_, structure); ++i) {
    const auto cursor = reads_.layout().step({structure, 0, 0, false}, i);
    if (!cursor) continue;
    members.push_back({*cursor, i, reads_.layout().end_of(*cursor).value_or(~std::uint64_t{0})});
  }
  return members;
}

// Members may overlap, so that one which may hold the scalar need not be the one that does.
bool Resources::find_in_struct(const Cursor& cursor, std::uint32_t offset, varyings::ScalarType scalar,
                               ResourcePlace& place) const {
  for (const Member& member : members_of(cursor.type)) {
    Cursor inner = member.cursor;
    inner.offset += cursor.offset;
    if (inner.offset > offset || member.end <= offset - cursor.offset) continue;
    place.indices.push_back(member.index);
    if (find_below(inner, offset, scalar, place)) return true;
    place.indices.pop_back();
  }
  return false;
}

// Types nest at most as deep as the module declares them, and a type cannot contain itself.
bool Resources::find_below(const Cursor& cursor, std::uint32_t offset, varyings::ScalarType scalar,
                           ResourcePlace& place) const {
  const std::uint32_t count = spirv::element_count(module_, cursor.type);
  switch (module_.def_op(cursor.type)) {
    case Op::OpTypeStruct: return find_in_struct(cursor, offset, scalar, place);
    case Op::OpTypeArray: {
      const auto stride = reads_.layout().decoration(cursor.type, Decoration::ArrayStride);
      if (!stride || *stride == 0 || (offset - cursor.offset) / *stride >= count) return false;
      const std::uint32_t index = (offset - cursor.offset) / *stride;
      const auto inner = reads_.layout().step(cursor, index);
      place.indices.push_back(index);
      if (inner && find_below(*inner, offset, scalar, place)) return true;
      place.indices.pop_back();
      return false;
    }
    case Op::OpTypeMatrix: {
      // Columns of a column-major matrix stand one behind the other.
      const bool in_order = !cursor.row_major && cursor.matrix_stride != 0;
      const std::uint32_t first = in_order ? (offset - cursor.offset) / cursor.matrix_stride : 0;
      for (std::uint32_t i = first; i < (in_order ? std::min(count, first + 1) : count); ++i) {
        const auto column = reads_.layout().step(cursor, i);
        place.indices.push_back(i);
        if (column && find_below(*column, offset, scalar, place)) return true;
        place.indices.pop_back();
      }
      return false;
    }
    case Op::OpTypeVector: {
      if (offset < cursor.offset || varyings::scalar_type_of(module_, cursor.type) != scalar) return false;
      const bool is_spread = cursor.row_major && cursor.matrix_stride != 0;
      const std::uint32_t step = is_spread ? cursor.matrix_stride : scalar.width / 8u;
      if (step == 0 || (offset - cursor.offset) % step != 0 || (offset - cursor.offset) / step >= count) return false;
      place.type = cursor.type;
      place.component = (offset - cursor.offset) / step;
      return true;
    }
    default:
      if (cursor.offset != offset || varyings::scalar_type_of(module_, cursor.type) != scalar) return false;
      place.type = cursor.type;
      place.component = 0;
      return true;
  }
}

bool Resources::is_buffer_of(const Buffer& buffer, const ResourceKey& key) {
  ResourceKey wanted = key, here = buffer.key;
  wanted.offset = here.offset = wanted.element = here.element = 0;
  return buffer.used && wanted == here;
}

bool Resources::uses_buffer_of(const ResourceKey& key) const {
  return std::any_of(buffers_.begin(), buffers_.end(), [&](const Buffer& buffer) { return is_buffer_of(buffer, key); });
}

std::optional<ResourcePlace> Resources::find(const ResourceKey& key, varyings::ScalarType scalar) const {
  for (const Buffer& buffer : buffers_) {
    const bool is_behind = key.arrayed && key.element >= buffer.elements;
    if (!is_buffer_of(buffer, key) || (is_behind && !seeded_fault("resource-arrays-are-of-any-length"))) continue;
    ResourcePlace place;
    place.variable = buffer.variable;
    if (key.arrayed) place.indices.push_back(key.element);
    if (find_below({buffer.block, 0, 0, false}, key.offset, scalar, place)) return place;
  }
  return std::nullopt;
}

}  // namespace varylink::graph
