#include "varyings/reflect/decoration_index.h"

#include <algorithm>

namespace varylink::varyings {
namespace {

// Members are numbered from one in the key, so that zero stands for the id itself.
std::uint64_t key_of(spirv::Id target, std::uint64_t member_plus_one) {
  return (std::uint64_t{target} << 32) | member_plus_one;
}

const Decorations kNoDecorations;

}  // namespace

bool Decorations::has(spv::Decoration decoration) const { return value(decoration).has_value(); }

std::optional<std::uint32_t> Decorations::value(spv::Decoration decoration) const {
  for (const auto& [kind, literal] : list)
    if (kind == decoration) return literal;
  return std::nullopt;
}

DecorationIndex::DecorationIndex(const spirv::Module& module) {
  for (const spirv::InstRef inst : module.annotations) read(module, inst);
}

void DecorationIndex::read(const spirv::Module& module, spirv::InstRef inst) {
  const auto operands = module.operands(inst);
  const auto literal = [&](std::size_t position) { return position < operands.size() ? operands[position].word : 0u; };
  const auto append = [&](std::uint64_t key, spirv::Id group) {
    const Decorations from = of(group);
    Decorations& to = lists_[key];
    to.list.insert(to.list.end(), from.list.begin(), from.list.end());
  };
  switch (module[inst].op) {
    case spv::Op::OpDecorate:
      lists_[key_of(literal(0), 0)].list.emplace_back(static_cast<spv::Decoration>(literal(1)), literal(2));
      break;
    case spv::Op::OpMemberDecorate:
      lists_[key_of(literal(0), std::uint64_t{literal(1)} + 1)].list.emplace_back(
          static_cast<spv::Decoration>(literal(2)), literal(3));
      break;
    // A group's own decorations stand before it (SPIR-V 2.4), so they are all known here.
    case spv::Op::OpGroupDecorate:
      for (std::size_t i = 1; i < operands.size(); ++i) append(key_of(literal(i), 0), literal(0));
      break;
    case spv::Op::OpGroupMemberDecorate:
      for (std::size_t i = 1; i + 1 < operands.size(); i += 2)
        append(key_of(literal(i), std::uint64_t{literal(i + 1)} + 1), literal(0));
      break;
    default: break;
  }
}

const Decorations& DecorationIndex::of(spirv::Id target) const {
  const auto found = lists_.find(key_of(target, 0));
  return found == lists_.end() ? kNoDecorations : found->second;
}

const Decorations& DecorationIndex::of_member(spirv::Id target, std::uint32_t member) const {
  const auto found = lists_.find(key_of(target, std::uint64_t{member} + 1));
  return found == lists_.end() ? kNoDecorations : found->second;
}

Decorations decorations_of(const spirv::Module& module, spirv::Id target) { return DecorationIndex(module).of(target); }

Decorations member_decorations_of(const spirv::Module& module, spirv::Id target, std::uint32_t member) {
  return DecorationIndex(module).of_member(target, member);
}

}  // namespace varylink::varyings
