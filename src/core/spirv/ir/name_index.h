// The debug names of a module, found without a walk over all of them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "spirv/ir/module.h"

namespace varylink::spirv {

// A snapshot. Where an id has several names, the first one counts, as for Module::name().
class NameIndex {
 public:
  explicit NameIndex(const Module& module) : module_(module) {
    names_.reserve(module.debug_names.size());
    for (const InstRef inst : module.debug_names) {
      const bool of_member = module[inst].op == spv::Op::OpMemberName;
      if (of_member || module[inst].op == spv::Op::OpName)
        names_.push_back({{module.operand(inst, 0).word, of_member ? module.operand(inst, 1).word : kWhole}, inst});
    }
    const auto is_before = [](const Name& a, const Name& b) { return a.first < b.first; };
    if (!std::is_sorted(names_.begin(), names_.end(), is_before))
      std::stable_sort(names_.begin(), names_.end(), is_before);
  }

  std::string of(Id target) const { return text({target, kWhole}, 1); }
  std::string of_member(Id structure, std::uint32_t member) const { return text({structure, member}, 2); }

 private:
  static constexpr std::uint32_t kWhole = 0xffffffffu;  // no structure has as many members
  using Key = std::pair<Id, std::uint32_t>;             // target and member
  using Name = std::pair<Key, InstRef>;

  std::string text(const Key& key, std::uint32_t position) const {
    const auto found = std::lower_bound(names_.begin(), names_.end(), key,
                                        [](const Name& name, const Key& wanted) { return name.first < wanted; });
    if (found == names_.end() || found->first != key) return {};
    return decode_string(module_.operands(found->second), position);
  }

  const Module& module_;
  std::vector<Name> names_;  // sorted by what they name
};

}  // namespace varylink::spirv
