#include "graph/resource.h"

#include <algorithm>
#include <set>
#include <utility>

#include "base/seeded_fault.h"
#include "spirv/ir/foreign.h"
#include "spirv/ir/globals.h"
#include "spirv/ir/operations.h"
#include "spirv/ir/pointer_path.h"
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

// A decoration that is not known may say where the data are, or how they are laid out (rule ).
bool is_any_of(const std::set<Id>& decorated, Id variable, const std::set<Id>& types) {
  return std::any_of(decorated.begin(), decorated.end(),
                     [&](Id each) { return each == variable || types.count(each) != 0; });
}

}  // namespace

std::uint32_t ResourceKey::last_offset() const {
  const std::uint64_t last = offset + std::uint64_t{stride} * (is_indexed() ? count - 1 : 0);
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(last, 0xffffffffu));
}

Resources::Resources(const spirv::Module& module, std::span<const Id> used) : module_(module), reads_(module) {
  const spirv::Uses uses(module);
  const std::set<Id> foreign = spirv::foreign_decorated(module);
  for (const InstRef inst : module.types) {
    if (module[inst].op != Op::OpVariable) continue;
    const auto storage = static_cast<spv::StorageClass>(module.operand(inst, 0).word);
    if (!is_buffer_class(storage)) continue;
    if (!foreign.empty() && is_any_of(foreign, module[inst].result, spirv::types_within(module, module[inst].type)))
      continue;
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

std::optional<ResourceLoad> Resources::read_by(InstRef load) const {
  if (!reads_.is_constant(load)) return std::nullopt;
  const spirv::AccessPath read = spirv::access_path(module_, module_.operand(load, 0).word);
  const auto buffer = std::find_if(buffers_.begin(), buffers_.end(),
                                   [&](const Buffer& candidate) { return candidate.variable == read.root; });
  return buffer == buffers_.end() ? std::nullopt : read_below(*buffer, read.indices);
}

std::optional<ResourceLoad> Resources::read_below(const Buffer& buffer, std::span<const Id> indices) const {
  ResourceLoad result;
  ResourceKey key = buffer.key;
  std::optional<Cursor> cursor = Cursor{buffer.block, 0, 0, false};
  bool is_descriptor = key.arrayed;
  for (const Id id : indices) {
    auto index = spirv::constant_int(module_, id);
    if (!index && !is_descriptor) index = choose(cursor->type, id, key, result);
    if (!index || *index < 0) return std::nullopt;
    const auto number = static_cast<std::uint32_t>(*index);
    if (is_descriptor) {
      if (number >= buffer.elements) return std::nullopt;
      key.element = number;
    } else {
      cursor = reads_.layout().step(*cursor, number);
    }
    is_descriptor = false;
    if (!cursor) return std::nullopt;
  }
  const auto scalar = varyings::scalar_type_of(module_, cursor->type);
  const bool is_double = scalar == varyings::ScalarType{varyings::ScalarKind::floating, 64};
  if (is_descriptor || !scalar || (scalar->width != 32 && !is_double)) return std::nullopt;

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
    result.keys.push_back(key);
  }
  return result;
}

// Lets `index` choose the element of an array, if nothing else does so yet: 0, as the element that the path goes on in.
std::optional<std::int64_t> Resources::choose(Id array, Id index, ResourceKey& key, ResourceLoad& load) const {
  const auto stride = reads_.layout().decoration(array, Decoration::ArrayStride);
  const auto type = varyings::scalar_type_of(module_, module_.type_of(index));
  if (module_.def_op(array) != Op::OpTypeArray || !stride || key.is_indexed() || !type || type->width != 32)
    return std::nullopt;
  key.stride = *stride;
  key.count = spirv::element_count(module_, array);
  load.index = index;
  return key.is_indexed() ? std::optional<std::int64_t>(0) : std::nullopt;
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
bool Resources::find_in_struct(const Cursor& cursor, const ResourceKey& key, varyings::ScalarType scalar,
                               ResourcePlace& place) const {
  for (const Member& member : members_of(cursor.type)) {
    Cursor inner = member.cursor;
    inner.offset += cursor.offset;
    if (inner.offset > key.offset || member.end <= key.offset - cursor.offset) continue;
    place.indices.push_back(member.index);
    if (find_below(inner, key, scalar, place)) return true;
    place.indices.pop_back();
  }
  return false;
}

bool Resources::find_in_array(const Cursor& cursor, const ResourceKey& key, varyings::ScalarType scalar,
                              ResourcePlace& place) const {
  const std::uint32_t count = spirv::element_count(module_, cursor.type);
  const auto stride = reads_.layout().decoration(cursor.type, Decoration::ArrayStride);
  if (!stride || *stride == 0 || (key.offset - cursor.offset) / *stride >= count) return false;
  const auto go_on_in = [&](std::uint32_t index) {
    const auto inner = reads_.layout().step(cursor, index);
    place.indices.push_back(index);
    if (inner && find_below(*inner, key, scalar, place)) return true;
    place.indices.pop_back();
    return false;
  };
  const std::uint32_t index = (key.offset - cursor.offset) / *stride;
  if (key.is_indexed() && !place.computed && index == 0 && *stride == key.stride && count == key.count) {
    place.computed = place.indices.size();
    if (go_on_in(0)) return true;
    place.computed.reset();
  }
  return go_on_in(index);
}

// Types nest at most as deep as the module declares them, and a type cannot contain itself.
bool Resources::find_below(const Cursor& cursor, const ResourceKey& key, varyings::ScalarType scalar,
                           ResourcePlace& place) const {
  const std::uint32_t count = spirv::element_count(module_, cursor.type), offset = key.offset;
  const auto is_scalar_of = [&](Id type) {
    return varyings::scalar_type_of(module_, type) == scalar && place.computed.has_value() == key.is_indexed();
  };
  switch (spirv::type_kind(module_, cursor.type)) {
    case spirv::TypeKind::structure: return find_in_struct(cursor, key, scalar, place);
    case spirv::TypeKind::array: return find_in_array(cursor, key, scalar, place);
    case spirv::TypeKind::matrix: {
      // Columns of a column-major matrix stand one behind the other.
      const bool in_order = !cursor.row_major && cursor.matrix_stride != 0;
      const std::uint32_t first = in_order ? (offset - cursor.offset) / cursor.matrix_stride : 0;
      for (std::uint32_t i = first; i < (in_order ? std::min(count, first + 1) : count); ++i) {
        const auto column = reads_.layout().step(cursor, i);
        place.indices.push_back(i);
        if (column && find_below(*column, key, scalar, place)) return true;
        place.indices.pop_back();
      }
      return false;
    }
    case spirv::TypeKind::vector: {
      if (offset < cursor.offset || !is_scalar_of(cursor.type)) return false;
      const bool is_spread = cursor.row_major && cursor.matrix_stride != 0;
      const std::uint32_t step = is_spread ? cursor.matrix_stride : scalar.width / 8u;
      if (step == 0 || (offset - cursor.offset) % step != 0 || (offset - cursor.offset) / step >= count) return false;
      place.type = cursor.type;
      place.component = (offset - cursor.offset) / step;
      if (!is_spread) return true;
      // The other components of the column are words of other rows, which nothing may read (rule ).
      place.indices.push_back(std::exchange(place.component, 0));
      place.type = spirv::element_type(module_, cursor.type);
      return true;
    }
    default:
      if (cursor.offset != offset || !is_scalar_of(cursor.type)) return false;
      place.type = cursor.type;
      place.component = 0;
      return true;
  }
}

bool Resources::is_buffer_of(const Buffer& buffer, const ResourceKey& key) {
  ResourceKey wanted = key, here = buffer.key;
  wanted.offset = here.offset = wanted.element = here.element = 0;
  wanted.stride = wanted.count = 0;
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
    if (find_below({buffer.block, 0, 0, false}, key, scalar, place)) return place;
  }
  return std::nullopt;
}

}  // namespace varylink::graph
