#include "varyings/reflect/decoration_index.h"

#include <algorithm>
#include <numeric>

namespace varylink::varyings {
namespace {

// Members are numbered from one in the key, so that zero stands for the id itself.
std::uint64_t key_of(spirv::Id target, std::uint64_t member_plus_one) {
  return (std::uint64_t{target} << 32) | member_plus_one;
}

bool has_groups(const spirv::Module& module) {
  return std::any_of(module.annotations.begin(), module.annotations.end(), [&](spirv::InstRef inst) {
    return module[inst].op == spv::Op::OpGroupDecorate || module[inst].op == spv::Op::OpGroupMemberDecorate;
  });
}

// Those of the instructions with this operation whose first operands are these, without an index of all of them.
template <std::size_t kCount>
Decorations direct_decorations(const spirv::Module& module, spv::Op op, const std::uint32_t (&target)[kCount]) {
  Decorations found;
  for (const spirv::InstRef inst : module.annotations) {
    if (module[inst].op != op) continue;
    const auto operands = module.operands(inst);
    const auto is_target = [](const spirv::Operand& operand, std::uint32_t word) { return operand.word == word; };
    if (operands.size() <= kCount || !std::equal(operands.begin(), operands.begin() + kCount, target, is_target))
      continue;
    const std::uint32_t literal = operands.size() > kCount + 1 ? operands[kCount + 1].word : 0u;
    found.list.emplace_back(static_cast<spv::Decoration>(operands[kCount].word), literal);
  }
  return found;
}

Decorations owned(DecorationList list) { return {{list.list.begin(), list.list.end()}}; }

}  // namespace

bool DecorationList::has(spv::Decoration decoration) const { return value(decoration).has_value(); }

std::optional<std::uint32_t> DecorationList::value(spv::Decoration decoration) const {
  for (const auto& [kind, literal] : list)
    if (kind == decoration) return literal;
  return std::nullopt;
}

// Most modules have some hundred decorations and are asked about many of them: one list in order takes less than a
// table.
DecorationIndex::DecorationIndex(const spirv::Module& module) {
  keys_.reserve(module.annotations.size());
  decorations_.reserve(module.annotations.size());
  for (const spirv::InstRef inst : module.annotations) read(module, inst);
  if (!std::is_sorted(keys_.begin(), keys_.end())) put_in_order();
}

void DecorationIndex::put_in_order() {
  std::vector<std::uint32_t> order(keys_.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(),
            [&](std::uint32_t a, std::uint32_t b) { return keys_[a] != keys_[b] ? keys_[a] < keys_[b] : a < b; });
  std::vector<std::uint64_t> keys;
  std::vector<Decoration> decorations;
  keys.reserve(order.size());
  decorations.reserve(order.size());
  for (const std::uint32_t at : order) {
    keys.push_back(keys_[at]);
    decorations.push_back(decorations_[at]);
  }
  keys_ = std::move(keys);
  decorations_ = std::move(decorations);
}

void DecorationIndex::read(const spirv::Module& module, spirv::InstRef inst) {
  const auto operands = module.operands(inst);
  const auto literal = [&](std::size_t position) { return position < operands.size() ? operands[position].word : 0u; };
  const auto add = [&](std::uint64_t key, Decoration decoration) {
    keys_.push_back(key);
    decorations_.push_back(decoration);
  };
  const auto append = [&](std::uint64_t key, spirv::Id group) {
    const std::size_t count = keys_.size();
    for (std::size_t i = 0; i < count; ++i)
      if (keys_[i] == key_of(group, 0)) add(key, decorations_[i]);
  };
  switch (module[inst].op) {
    case spv::Op::OpDecorate: add(key_of(literal(0), 0), {static_cast<spv::Decoration>(literal(1)), literal(2)}); break;
    case spv::Op::OpMemberDecorate:
      add(key_of(literal(0), std::uint64_t{literal(1)} + 1), {static_cast<spv::Decoration>(literal(2)), literal(3)});
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

DecorationList DecorationIndex::find(std::uint64_t key) const {
  const auto [first, last] = std::equal_range(keys_.begin(), keys_.end(), key);
  return {{decorations_.data() + (first - keys_.begin()), static_cast<std::size_t>(last - first)}};
}

DecorationList DecorationIndex::of(spirv::Id target) const { return find(key_of(target, 0)); }

DecorationList DecorationIndex::of_member(spirv::Id target, std::uint32_t member) const {
  return find(key_of(target, std::uint64_t{member} + 1));
}

Decorations decorations_of(const spirv::Module& module, spirv::Id target) {
  if (has_groups(module)) return owned(DecorationIndex(module).of(target));
  return direct_decorations(module, spv::Op::OpDecorate, {target});
}

Decorations member_decorations_of(const spirv::Module& module, spirv::Id target, std::uint32_t member) {
  if (has_groups(module)) return owned(DecorationIndex(module).of_member(target, member));
  return direct_decorations(module, spv::Op::OpMemberDecorate, {target, member});
}

}  // namespace varylink::varyings
