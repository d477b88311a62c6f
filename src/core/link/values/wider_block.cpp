#include "link/values/wider_block.h"

#include <algorithm>
#include <map>
#include <optional>

#include "spirv/ir/block_layout.h"
#include "spirv/ir/globals.h"
#include "spirv/ir/op_info.h"
#include "spirv/ir/struct_members.h"
#include "varyings/scalarize/varying_variable.h"

namespace varylink::link {
namespace {

using spirv::Id;
using spirv::InstRef;
using spirv::Module;
using spirv::Operand;
using spv::Decoration;
using spv::Op;

// The first byte behind a part of a block that another member may have. The member behind an array, matrix or structure
// begins at a multiple of its alignment, which is 16 at most where layouts are not scalar (Vulkan, "Offset and Stride
// Assignment").
std::optional<std::uint64_t> end_of(const Module& module, const spirv::BlockLayout& layout,
                                    const spirv::BlockLayout::Cursor& part) {
  constexpr std::uint64_t kAlignment = 16;
  const Op op = module.def_op(part.type);
  if (op != Op::OpTypeArray && op != Op::OpTypeStruct && op != Op::OpTypeMatrix) return layout.end_of(part);
  std::uint64_t end = part.offset;
  if (op == Op::OpTypeMatrix) {
    const auto last = layout.end_of(part);
    if (!last) return std::nullopt;
    end = *last;
  } else {
    const std::uint32_t count = spirv::element_count(module, part.type);
    for (std::uint32_t i = op == Op::OpTypeArray ? count - 1 : 0; i < count; ++i) {
      const auto inner = layout.step(part, i);
      const auto behind = inner ? end_of(module, layout, *inner) : std::nullopt;
      if (!behind) return std::nullopt;
      end = std::max(end, *behind);
    }
    if (count == 0) return std::nullopt;
  }
  return (end + kAlignment - 1) / kAlignment * kAlignment;
}

bool is_chain_into(const Module& module, InstRef user, Id variable) {
  return spirv::is_access_chain(module[user].op) && module.operands(user).size() > 1 &&
         module.operand(user, 0).word == variable;
}

void decorate_offset(Module& module, Id type, std::uint32_t member, std::uint32_t offset) {
  module.annotations.push_back(
      module.create(Op::OpMemberDecorate, 0, 0,
                    {spirv::id(type), spirv::lit(member), spirv::lit(static_cast<std::uint32_t>(Decoration::Offset)),
                     spirv::lit(offset)}));
}

}  // namespace

BlockRoom::BlockRoom(const Module& module, const spirv::Uses& uses, Id variable) {
  const auto users = uses.of(variable);
  is_closed_ = !std::all_of(users.begin(), users.end(), [&](InstRef user) {
    return is_chain_into(module, user, variable) && spirv::constant_index(module, module.operand(user, 1).word);
  });
  const Id block = spirv::pointee_type(module, module.type_of(variable));
  const spirv::BlockLayout layout(module);
  for (std::uint32_t i = 0; i < spirv::element_count(module, block) && !is_closed_; ++i) {
    const auto member = layout.step({block, 0, 0, false}, i);
    const auto end = member ? end_of(module, layout, *member) : std::nullopt;
    is_closed_ = !end;
    if (end) taken_.emplace_back(member->offset, *end);
  }
}

bool BlockRoom::take(std::uint32_t offset, varyings::ScalarType type) {
  if (const auto same = added_.find(offset); same != added_.end() && same->second == type) return true;
  const std::uint64_t end = std::uint64_t{offset} + type.width / 8;
  const auto overlaps = [&](const auto& range) { return range.first < end && offset < range.second; };
  if (is_closed_ || std::any_of(taken_.begin(), taken_.end(), overlaps)) return false;
  taken_.emplace_back(offset, end);
  added_.emplace(offset, type);
  return true;
}

Id declare_block_type(Module& module, spirv::Globals& globals, const BlockMembers& members) {
  std::vector<Operand> types;
  for (const auto& [offset, type] : members) types.push_back(spirv::id(varyings::type_id(globals, type)));
  const Id block = module.new_id();
  module.types.push_back(module.create(Op::OpTypeStruct, 0, block, std::span<const Operand>(types)));
  std::uint32_t index = 0;
  for (const auto& [offset, type] : members) decorate_offset(module, block, index++, offset);
  spirv::decorate(module, block, Decoration::Block);
  return block;
}

void widen_block(Module& module, spirv::Globals& globals, Id variable, const BlockMembers& added) {
  const Id block = spirv::pointee_type(module, module.type_of(variable));
  std::multimap<std::uint32_t, spirv::StructMember> by_offset;
  const spirv::BlockLayout layout(module);
  for (std::uint32_t i = 0; i < spirv::element_count(module, block); ++i)
    by_offset.emplace(layout.step({block, 0, 0, false}, i)->offset,
                      spirv::StructMember{spirv::element_type(module, block, i), i});
  for (const auto& [offset, type] : added)
    by_offset.emplace(offset, spirv::StructMember{varyings::type_id(globals, type), std::nullopt});
  spirv::StructMembers members;
  for (const auto& [offset, member] : by_offset) members.push_back(member);
  const Id wider = spirv::set_members(module, globals, variable, members);
  std::uint32_t number = 0;
  for (const auto& [offset, member] : by_offset) {
    if (!member.before) decorate_offset(module, wider, number, offset);
    ++number;
  }
}

}  // namespace varylink::link
