// Decorations, names and sizes in locations of a module's input and output variables.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "frontend/locations.h"
#include "spirv/ir/module.h"

namespace varylink::frontend {

// Reads the annotations once; keep the module unchanged as long as this lives.
class VaryingFacts {
 public:
  VaryingFacts(const spirv::Module& module, Stage stage);

  // True for a variable of that storage class that is user-defined, so neither a built-in nor a block of built-ins.
  bool is_varying(spirv::Id variable, spv::StorageClass storage) const;

  Varying describe(spirv::Id variable, bool is_input) const;

 private:
  using Key = std::pair<spirv::Id, std::uint32_t>;  // target and member; kWhole for the target itself
  static constexpr std::uint32_t kWhole = 0xffffffffu;

  const std::uint32_t* find(spirv::Id target, std::uint32_t member, spv::Decoration decoration) const;
  bool has(spirv::Id target, spv::Decoration decoration) const { return find(target, kWhole, decoration) != nullptr; }
  bool any_member_has(spirv::Id type, spv::Decoration decoration) const;
  spirv::Id pointee(spirv::Id variable) const;
  spirv::Id without_arrays(spirv::Id type) const;
  bool is_arrayed(spirv::Id variable, bool is_input) const;
  std::uint32_t member_count(spirv::Id type) const;
  std::uint32_t array_length(spirv::Id type) const;
  std::uint32_t locations_of(spirv::Id type) const;
  void add_places(Varying& varying, spirv::Id type) const;

  const spirv::Module& module_;
  Stage stage_;
  std::map<Key, std::vector<std::pair<spv::Decoration, std::uint32_t>>> decorations_;
};

}  // namespace varylink::frontend
