// Decorations that carry meaning for a value, and their treatment when one value replaces another.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "spirv/ir/module.h"

namespace varylink::spirv {

enum class MergeRule : std::uint8_t {
  obligation,  // the value that replaces two has it if one of them had it
  permission,  // the value that replaces two has it only if both had it
  identity,    // only values that agree in it may stand for each other
  none,        // no meaning for a computed value: layout and interface decorations
};

// The rule for a decoration of a result. Unknown decorations count as identity.
//   obligation  NonUniform (Vulkan, "NonUniform": the operand that names the resource has to carry it), NoContraction
//   permission  RelaxedPrecision (fewer bits will do), NoSignedWrap and NoUnsignedWrap (anything where it wraps around)
//   identity    FPFastMathMode and FPMaxErrorDecorationINTEL (what may be assumed, or how wrong it may be, has operands
//               of its own), FPRoundingMode, SaturatedConversion, UserSemantic, Volatile, Coherent, Restrict, Aliased,
//               NonWritable, NonReadable and whatever is not listed
MergeRule merge_rule(spv::Decoration decoration);

// Permissions of a value, a bit for each.
using Permissions = std::uint8_t;
inline constexpr Permissions kRelaxedPrecision = 1, kNoSignedWrap = 2, kNoUnsignedWrap = 4;

// How decorations constrain the computation of a value. Two results of the same operation on the same operands are one
// value only if this is equal (rule ). A value without a permission may replace one with it, never the other way
// round.
struct Manner {
  bool no_contraction = false;
  Permissions permissions = 0;
  bool is_own = false;  // it has a decoration of the rule identity: no other instruction computes the value
  friend bool operator==(const Manner&, const Manner&) = default;
};

// The manners of one module's values. A snapshot.
class Manners {
 public:
  explicit Manners(const Module& module);
  Manner of(Id value) const;

  // Values that have such decorations, in order.
  auto begin() const { return manners_.begin(); }
  auto end() const { return manners_.end(); }

 private:
  std::map<Id, Manner> manners_;
};

// Values whose instructions must stay as they are: NoContraction, or a decoration of the rule identity on the
// operation.
std::set<Id> kept_as_written(const Module& module);

// The decorations of one module by value. A snapshot.
class ValueDecorations {
 public:
  explicit ValueDecorations(const Module& module);

  // Whether `kept` may replace the equal value `gone`: it has all decorations of `gone` with the rule identity. Id 0 is
  // a value without decorations.
  bool may_stand_for(Id kept, Id gone) const;

  // Gives `kept` the obligations of `gone`, in the module, too. Constants need none: they are uniform and exact.
  void pass_on(Module& module, Id kept, Id gone);

 private:
  using Words = std::vector<std::uint32_t>;  // decoration and its operands
  struct Carried {
    std::vector<Words> obligations, identities;  // sorted
  };
  std::map<Id, Carried> carried_;  // of values that have such decorations
};

}  // namespace varylink::spirv
