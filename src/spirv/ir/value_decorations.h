// Decorations of values that carry meaning, and what becomes of them when one value takes the place of another.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "spirv/ir/module.h"

namespace varylink::spirv {

enum class MergeRule : std::uint8_t {
  obligation,  // what stands for two values has it if one of them had it
  permission,  // what stands for two values has it only if both had it
  identity,    // only values that agree in it may stand for each other
  none,        // says nothing about a value that code computes: layout and interface decorations
};

// The rule for a decoration of a result. Unknown decorations count as identity.
//   obligation  NonUniform (Vulkan, "NonUniform": the operand that names the resource has to carry it), NoContraction
//   permission  RelaxedPrecision, NoSignedWrap, NoUnsignedWrap
//   identity    FPFastMathMode, FPRoundingMode, SaturatedConversion, UserSemantic, Volatile, Coherent, Restrict,
//               Aliased, NonWritable, NonReadable and whatever is not listed
MergeRule merge_rule(spv::Decoration decoration);

// The decorations of one module by value. A snapshot.
class ValueDecorations {
 public:
  explicit ValueDecorations(const Module& module);

  // `kept`, which holds the same as `gone`, may stand for it: it has all decorations of `gone` with the rule identity.
  // 0 for a value without decorations.
  bool may_stand_for(Id kept, Id gone) const;

  // Gives `kept` the obligations of `gone`, in the module, too. What constants hold is uniform and exact.
  void pass_on(Module& module, Id kept, Id gone);

 private:
  using Words = std::vector<std::uint32_t>;  // decoration and its operands
  struct Carried {
    std::vector<Words> obligations, identities;  // sorted
  };
  std::map<Id, Carried> carried_;  // of values that have such decorations
};

}  // namespace varylink::spirv
