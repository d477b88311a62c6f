#include "report/kept_instructions.h"

#include <algorithm>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "spirv/ir/uses.h"

namespace varylink::report {
namespace {

using spirv::Id;
using spirv::InstRef;
using spirv::Module;

using Key = std::uint32_t;

// Bounds the time on code that repeats itself; what is left then is matched occurrence by occurrence.
constexpr int kMaxDepth = 16;

// Numbers that are equal for instructions that say the same, in whichever module.
class Keys {
 public:
  Key of(const std::vector<std::uint32_t>& text) {
    return numbers_.try_emplace(text, static_cast<Key>(numbers_.size())).first->second;
  }

 private:
  std::map<std::vector<std::uint32_t>, Key> numbers_;
};

class ModuleKeys {
 public:
  ModuleKeys(const Module& module, Keys& keys)
      : module_(module), keys_(keys), known_(module.bound), is_known_(module.bound), is_local_(module.bound) {
    for (const InstRef inst : module.annotations)
      if (module[inst].op == spv::Op::OpDecorate && identifies(module.operand(inst, 1).word))
        for (std::uint32_t i = 1; i < module[inst].operand_count; ++i)
          identity_[module.operand(inst, 0).word].push_back(module.operand(inst, i).word);
    for (const spirv::Function& function : module.functions) {
      for (const InstRef inst : function.head) mark_local(inst);
      for (const spirv::Block& block : function.blocks) {
        is_local_[block.label] = true;
        for (const InstRef inst : block.body) mark_local(inst);
      }
    }
  }

  std::vector<Key> run() {
    std::vector<Key> all;
    for (const spirv::Function& function : module_.functions)
      for (const spirv::Block& block : function.blocks)
        for (const InstRef inst : block.body)
          if (!spirv::is_debug_inst(module_, inst) && !is_traffic(inst)) all.push_back(key_of(inst));
    return all;
  }

 private:
  // Decorations by which a variable is known outside of the module; varyings change theirs.
  static bool identifies(std::uint32_t decoration) {
    const auto which = static_cast<spv::Decoration>(decoration);
    return which == spv::Decoration::BuiltIn || which == spv::Decoration::DescriptorSet ||
           which == spv::Decoration::Binding;
  }

  // Values on their way through local memory.
  bool is_traffic(InstRef inst) const {
    switch (module_[inst].op) {
      case spv::Op::OpVariable: return true;
      case spv::Op::OpAccessChain:
      case spv::Op::OpInBoundsAccessChain: return is_function_pointer(module_[inst].type);
      case spv::Op::OpLoad:
      case spv::Op::OpStore: return is_function_pointer(module_.type_of(module_.operand(inst, 0).word));
      default: return false;
    }
  }

  bool is_function_pointer(Id type) const {
    return module_.def_op(type) == spv::Op::OpTypePointer &&
           static_cast<spv::StorageClass>(module_.operand(module_.def(type), 0).word) == spv::StorageClass::Function;
  }

  void mark_local(InstRef inst) {
    if (module_[inst].result != 0) is_local_[module_[inst].result] = true;
  }

  Key key_of(InstRef inst) {
    const spirv::Inst& said = module_[inst];
    std::vector<std::uint32_t> text = {static_cast<std::uint32_t>(said.op), said.type == 0 ? 0 : key_of(said.type)};
    for (const spirv::Operand& operand : module_.operands(inst)) {
      text.push_back(operand.is_id);
      text.push_back(operand.is_id ? key_of(operand.word) : operand.word);
    }
    if (const auto identity = identity_.find(said.result); said.result != 0 && identity != identity_.end())
      text.insert(text.end(), identity->second.begin(), identity->second.end());
    return keys_.of(text);
  }

  Key key_of(Id id) {
    if (id >= known_.size()) return 0;
    if (is_local_[id]) return module_.type_of(id) == 0 ? 0 : key_of(module_.type_of(id));
    if (is_known_[id]) return known_[id];
    is_known_[id] = true;  // a structure may lead to itself through a pointer
    if (const InstRef def = module_.def(id)) known_[id] = key_of(def);
    return known_[id];
  }

  const Module& module_;
  Keys& keys_;
  std::vector<Key> known_;  // by id, of what is outside of functions
  std::vector<bool> is_known_, is_local_;
  std::map<Id, std::vector<std::uint32_t>> identity_;
};

using Pair = std::pair<std::size_t, std::size_t>;  // positions on both sides

// The longest list of pairs that rises on both sides; `pairs` rise on the first.
std::vector<Pair> longest_rising(const std::vector<Pair>& pairs) {
  std::vector<std::size_t> tails, before(pairs.size());  // by length: the pair with the lowest end
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const auto place = std::lower_bound(tails.begin(), tails.end(), pairs[i].second,
                                        [&](std::size_t tail, std::size_t at) { return pairs[tail].second < at; });
    before[i] = place == tails.begin() ? i : *(place - 1);
    if (place == tails.end())
      tails.push_back(i);
    else
      *place = i;
  }
  std::vector<Pair> rising;
  for (std::size_t left = tails.size(), at = tails.empty() ? 0 : tails.back(); left > 0; --left, at = before[at])
    rising.push_back(pairs[at]);
  std::reverse(rising.begin(), rising.end());
  return rising;
}

using Side = std::span<const Key>;

// Positions of each key, in order.
std::vector<std::pair<Key, std::size_t>> sorted_places(Side side) {
  std::vector<std::pair<Key, std::size_t>> places;
  for (std::size_t i = 0; i < side.size(); ++i) places.emplace_back(side[i], i);
  std::sort(places.begin(), places.end());
  return places;
}

// What may stand for what: each key's n-th occurrence for its n-th on the other side. With `only_unique`, keys that
// occur once on both.
std::vector<Pair> candidates(Side before, Side after, bool only_unique) {
  const auto left = sorted_places(before), right = sorted_places(after);
  std::vector<Pair> pairs;
  for (auto a = left.begin(), b = right.begin(); a != left.end() && b != right.end();) {
    if (a->first != b->first) {
      ++(a->first < b->first ? a : b);
      continue;
    }
    const auto is_other = [key = a->first](const auto& place) { return place.first != key; };
    const auto a_end = std::find_if(a, left.end(), is_other), b_end = std::find_if(b, right.end(), is_other);
    const bool is_unique = a_end - a == 1 && b_end - b == 1;
    for (auto i = a, j = b; (is_unique || !only_unique) && i != a_end && j != b_end; ++i, ++j)
      pairs.emplace_back(i->second, j->second);
    a = a_end;
    b = b_end;
  }
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

std::size_t common(Side before, Side after, int depth) {
  std::size_t kept = 0;
  while (!before.empty() && !after.empty() && before.front() == after.front()) {
    before = before.subspan(1);
    after = after.subspan(1);
    ++kept;
  }
  while (!before.empty() && !after.empty() && before.back() == after.back()) {
    before = before.first(before.size() - 1);
    after = after.first(after.size() - 1);
    ++kept;
  }
  if (before.empty() || after.empty()) return kept;
  const std::vector<Pair> fixed = longest_rising(candidates(before, after, true));
  if (fixed.empty() || depth == kMaxDepth) return kept + longest_rising(candidates(before, after, false)).size();
  Pair from = {0, 0};
  for (const Pair& pair : fixed) {
    kept += 1 + common(before.subspan(from.first, pair.first - from.first),
                       after.subspan(from.second, pair.second - from.second), depth + 1);
    from = {pair.first + 1, pair.second + 1};
  }
  return kept + common(before.subspan(from.first), after.subspan(from.second), depth + 1);
}

}  // namespace

KeptInstructions kept_instructions(const Module& before, const Module& after) {
  Keys keys;
  keys.of({});  // 0 stands for what is not there
  const std::vector<Key> left = ModuleKeys(before, keys).run(), right = ModuleKeys(after, keys).run();
  return {left.size(), common(left, right, 0)};
}

std::optional<KeptInstructions> kept_instructions(const link::StageInput& before, const link::StageInput& after) {
  const Result<Module> left = link::module_of(before, before.file), right = link::module_of(after, after.file);
  if (!left || !right) return std::nullopt;
  return kept_instructions(*left, *right);
}

}  // namespace varylink::report
