// Types of a module as the proof sees them: every value is a row of scalars (leaves), in the order of its members.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "prove/terms/term.h"
#include "spirv/ir/module.h"

namespace varylink::prove {

using spirv::Id;

// Decorations of ids and members, by (target, decoration); members by (struct, member, decoration).
class Facts {
 public:
  explicit Facts(const spirv::Module& module);
  // Throws Unsupported for types that have no fixed number of leaves.
  std::uint32_t leaf_count(Id type) const;
  void append_sorts(Id type, std::vector<Sort>& sorts) const;
  std::vector<Sort> sorts(Id type) const;
  Sort sort(Id scalar_type) const;
  // First leaf of a member or element.
  std::uint32_t leaf_offset(Id type, std::uint32_t index) const;
  Id element(Id type, std::uint32_t index = 0) const;
  std::uint32_t elements(Id type) const;
  std::uint32_t array_length(Id type) const;
  spv::Op op(Id type) const { return module_.def_op(type); }

  // The decoration of `target` or its first literal; none if it does not have it.
  const std::uint32_t* decoration(Id target, spv::Decoration decoration) const;
  const std::uint32_t* member_decoration(Id type, std::uint32_t member, spv::Decoration decoration) const;
  bool has(Id target, spv::Decoration what) const { return decoration(target, what) != nullptr; }

 private:
  const spirv::Module& module_;
  // Sorted by target, member and decoration; a module has many, and most questions are answered by none.
  using OfId = std::pair<Id, spv::Decoration>;
  using OfMember = std::tuple<Id, std::uint32_t, spv::Decoration>;
  std::vector<std::pair<OfId, std::uint32_t>> decorations_;
  std::vector<std::pair<OfMember, std::uint32_t>> members_;
  mutable std::map<Id, std::uint32_t> counts_;
};

}  // namespace varylink::prove
