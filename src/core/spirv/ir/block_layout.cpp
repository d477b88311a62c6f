#include "spirv/ir/block_layout.h"

#include <algorithm>
#include <utility>

#include "spirv/ir/globals.h"
#include "spirv/ir/operations.h"

namespace varylink::spirv {
namespace {

using spv::Decoration;
using spv::Op;

constexpr std::uint32_t kWholeTarget = 0xffffffffu;

// Bytes of a component of a scalar, vector or matrix; 0 for other types.
std::uint32_t component_bytes(const Module& module, Id type) {
  while (module.def_op(type) == Op::OpTypeVector || module.def_op(type) == Op::OpTypeMatrix)
    type = element_type(module, type);
  const Op op = module.def_op(type);
  return op == Op::OpTypeInt || op == Op::OpTypeFloat ? module.operand(module.def(type), 0).word / 8 : 0;
}

}  // namespace

BlockLayout::BlockLayout(const Module& module) : module_(module) {
  decorations_.reserve(module.annotations.size());
  for (const InstRef inst : module.annotations) {
    const Op op = module[inst].op;
    if (op != Op::OpDecorate && op != Op::OpMemberDecorate) continue;
    const std::uint32_t member = op == Op::OpMemberDecorate ? module.operand(inst, 1).word : kWholeTarget;
    decorations_.push_back({module.operand(inst, 0).word, member, inst});
  }
  const auto is_before = [](const Decorated& a, const Decorated& b) {
    return std::pair(a.target, a.member) < std::pair(b.target, b.member);
  };
  if (!std::is_sorted(decorations_.begin(), decorations_.end(), is_before))
    std::stable_sort(decorations_.begin(), decorations_.end(), is_before);
}

// Members come in front of kWholeTarget.
std::span<const BlockLayout::Decorated> BlockLayout::all_of(Id target) const {
  const auto first = first_not_before(target, 0), last = first_not_before(target + 1, 0);
  return {first, last};
}

std::span<const BlockLayout::Decorated> BlockLayout::all_of(Id target, std::uint32_t member) const {
  const auto last = member == kWholeTarget ? first_not_before(target + 1, 0) : first_not_before(target, member + 1);
  return {first_not_before(target, member), last};
}

std::vector<BlockLayout::Decorated>::const_iterator BlockLayout::first_not_before(Id target,
                                                                                  std::uint32_t member) const {
  return std::lower_bound(
      decorations_.begin(), decorations_.end(), std::pair(target, member),
      [](const Decorated& each, const auto& key) { return std::pair(each.target, each.member) < key; });
}

std::optional<std::uint32_t> BlockLayout::decoration(Id target, Decoration decoration) const {
  for (const Decorated& each : all_of(target, kWholeTarget))
    if (static_cast<Decoration>(module_.operand(each.inst, 1).word) == decoration)
      return module_.operand(each.inst, 2).word;
  return std::nullopt;
}

bool BlockLayout::is_member_decorated(Id structure, std::uint32_t index, Decoration decoration) const {
  const auto list = all_of(structure, index);
  return std::any_of(list.begin(), list.end(), [&](const Decorated& each) {
    return static_cast<Decoration>(module_.operand(each.inst, 2).word) == decoration;
  });
}

bool BlockLayout::is_any_member_decorated(Id structure, Decoration decoration) const {
  const auto list = all_of(structure);
  return std::any_of(list.begin(), list.end(), [&](const Decorated& each) {
    return each.member != kWholeTarget && static_cast<Decoration>(module_.operand(each.inst, 2).word) == decoration;
  });
}

std::optional<BlockLayout::Cursor> BlockLayout::member(Id structure, std::uint32_t index) const {
  Cursor cursor;
  cursor.type = element_type(module_, structure, index);
  bool has_offset = false;
  for (const Decorated& each : all_of(structure, index)) {
    const InstRef inst = each.inst;
    const auto decoration = static_cast<Decoration>(module_.operand(inst, 2).word);
    if (decoration == Decoration::Volatile) return std::nullopt;
    if (decoration == Decoration::RowMajor) cursor.row_major = true;
    if (decoration == Decoration::MatrixStride) cursor.matrix_stride = module_.operand(inst, 3).word;
    if (decoration != Decoration::Offset) continue;
    cursor.offset = module_.operand(inst, 3).word;
    has_offset = true;
  }
  if (!has_offset || cursor.type == 0) return std::nullopt;
  return cursor;
}

std::optional<BlockLayout::Cursor> BlockLayout::step(const Cursor& from, std::uint32_t index) const {
  Cursor to = from;
  if (index >= element_count(module_, from.type)) return std::nullopt;
  switch (type_kind(module_, from.type)) {
    case TypeKind::structure: {
      const auto inner = member(from.type, index);
      if (!inner) return std::nullopt;
      to = *inner;
      to.offset += from.offset;
      return to;
    }
    case TypeKind::array: {
      const auto stride = decoration(from.type, Decoration::ArrayStride);
      if (!stride) return std::nullopt;
      to.offset += index * *stride;
      break;
    }
    case TypeKind::matrix:
      if (from.matrix_stride == 0) return std::nullopt;
      // A row-major matrix keeps a column's components a stride apart.
      to.offset += from.row_major ? index * component_bytes(module_, from.type) : index * from.matrix_stride;
      if (!from.row_major) to.matrix_stride = 0;
      break;
    case TypeKind::vector:
      to.offset += index * (from.row_major && from.matrix_stride != 0 ? from.matrix_stride
                                                                      : component_bytes(module_, from.type));
      break;
    default: return std::nullopt;
  }
  to.type = element_type(module_, from.type);
  return to;
}

std::optional<std::uint64_t> BlockLayout::end_of(const Cursor& part) const {
  Cursor last = part;
  while (module_.def_op(last.type) == Op::OpTypeMatrix || module_.def_op(last.type) == Op::OpTypeVector) {
    const auto inner = step(last, element_count(module_, last.type) - 1);
    if (!inner) return std::nullopt;
    last = *inner;
  }
  const std::uint32_t bytes = component_bytes(module_, last.type);
  if (bytes == 0) return std::nullopt;
  return std::uint64_t{last.offset} + bytes;
}

}  // namespace varylink::spirv
