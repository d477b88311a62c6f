// Results of instructions with constant operands.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "spirv/cleanup/number_operations.h"
#include "spirv/ir/globals.h"
#include "spirv/ir/module.h"

namespace varylink::spirv {

// A literal constant; specialization constants are none (rule ), and neither are undefined values.
bool is_constant(const Module& module, Id value);

// A clamp of GLSL.std.450.
bool is_clamp(const Module& module, InstRef inst);

// Result of comparing a clamped value with `constant`, its operand number `position`, if it is the same at both limits
// of the clamp.
std::optional<bool> clamped_comparison(const Module& module, InstRef inst, std::uint32_t position, Id constant);

// Computes on constants that are numbers and booleans, and on vectors of them. Folds exact results only: none
// that depends on a device's rounding, on denormal numbers, infinities or NaN, and in modules that round towards zero
// none that is rounded at all. An operation that SPIR-V leaves undefined for these operands gets a value (rule
// Adds new constants to the module.
class ConstantFolder {
 public:
  // `module` must outlive this object. Meanwhile no other code may add or remove types and constants.
  explicit ConstantFolder(Module& module);

  // The constant that equals this one and stands for all such.
  Id canonical(Id constant);

  Id boolean(bool value) { return globals_.bool_constant(value); }
  // The number, or vector of numbers, of this type of which every bit is 0.
  Id zero(Id type) { return make(type, Numbers(component_count(module_, type), 0)); }

  // The result of the instruction, a canonical constant of its type. `operands`: constants, one for each of its id
  // operands behind first_value_operand(). None if it is not decided here.
  std::optional<Id> fold(InstRef inst, std::span<const Id> operands);

 private:
  using Numbers = std::vector<Bits>;  // one for each component

  std::optional<NumberType> component_type(Id type) const;
  std::optional<Numbers> numbers_of(Id constant) const;
  std::optional<Numbers> joined(std::span<const Id> parts) const;
  Id make(Id type, const Numbers& numbers);
  Id composite(Id type, const std::vector<Id>& parts);
  std::optional<Id> typed(Id type, Id constant);
  std::optional<Id> fold_cast(InstRef inst, Id operand);
  std::optional<Id> fold_construct(InstRef inst, std::span<const Id> operands);
  std::optional<Id> fold_extract(InstRef inst, Id whole);
  std::optional<Id> with_part(Id whole, Id part, std::span<const Operand> path);
  std::optional<Id> fold_shuffle(InstRef inst, std::span<const Id> operands);
  std::optional<Id> fold_select(InstRef inst, std::span<const Id> operands);
  std::optional<Id> fold_all_or_any(InstRef inst, Id operand);
  std::optional<Id> fold_component_wise(InstRef inst, std::span<const Id> operands);

  Module& module_;
  Globals globals_;
  bool rounds_to_nearest_ = true;             // no entry point asks for anything else
  std::map<std::vector<Id>, Id> composites_;  // type and parts
  std::vector<Id> canonical_;                 // by constant; 0: not asked yet
};

}  // namespace varylink::spirv
