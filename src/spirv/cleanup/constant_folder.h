// What instructions give whose operands are constants.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "spirv/ir/globals.h"
#include "spirv/ir/module.h"

namespace varylink::spirv {

// A literal constant; specialization constants are none (rule ), and neither are undefined values.
bool is_constant(const Module& module, Id value);

// FClamp, UClamp or SClamp of GLSL.std.450.
bool is_clamp(const Module& module, InstRef inst);

// What the comparison of a clamped value with `constant`, its operand number `position`, gives if it is the same at
// both limits of the clamp.
std::optional<bool> clamped_comparison(const Module& module, InstRef inst, std::uint32_t position, Id constant);

// One constant operand may decide what the instruction gives although others are not constant: `constant`, its id
// operand number `position`, is what SPIRV-Tools' folding looks for there.
bool may_decide(const Module& module, InstRef inst, std::uint32_t position, Id constant);

// Computes on constants of 32-bit numbers, 64-bit floats and booleans, and on vectors of them. Exact: where the result
// depends on how a device rounds, on denormal numbers, infinities or NaN, there is none. In modules that round towards
// zero there is none where anything is rounded. New constants are added to the module.
class ConstantFolder {
 public:
  // `module` must outlive this object. Nobody else adds or removes types and constants meanwhile.
  explicit ConstantFolder(Module& module);

  // The constant that equals this one and stands for all such.
  Id canonical(Id constant);

  Id boolean(bool value) { return globals_.bool_constant(value); }
  // The number, or vector of numbers, of this type of 32 bits of which every bit is 0.
  Id zero(Id type) { return make(type, Words(component_count(module_, type), 0)); }

  // What the instruction gives, a canonical constant of its type. `operands`: constants, one for each of its id
  // operands behind first_value_operand(). None if it cannot be told here.
  std::optional<Id> fold(InstRef inst, std::span<const Id> operands);

 private:
  using Words = std::vector<std::uint32_t>;  // one for each component; booleans are 0 or 1

  std::optional<Words> words_of(Id constant) const;
  bool is_word_type(Id type) const;
  Id make(Id type, const Words& words);
  Id composite(Id type, const std::vector<Id>& parts);
  std::optional<Id> typed(Id type, Id constant);
  std::optional<Id> fold_construct(InstRef inst, std::span<const Id> operands);
  std::optional<Id> fold_extract(InstRef inst, Id whole);
  std::optional<Id> with_part(Id whole, Id part, std::span<const Operand> path);
  std::optional<Id> fold_shuffle(InstRef inst, std::span<const Id> operands);
  std::optional<Id> fold_select(InstRef inst, std::span<const Id> operands);
  std::optional<Id> fold_all_or_any(InstRef inst, Id operand);
  std::optional<Id> fold_component_wise(InstRef inst, std::span<const Id> operands);
  bool is_of_doubles(Id type) const;
  std::optional<std::vector<double>> doubles_of(Id constant) const;
  Id make_doubles(Id type, const std::vector<double>& values);
  std::optional<std::vector<double>> joined_doubles(std::span<const Id> parts) const;
  std::optional<Id> fold_doubles(InstRef inst, std::span<const Id> operands);

  Module& module_;
  Globals globals_;
  bool rounds_to_nearest_ = true;             // no entry point asks for anything else
  std::map<std::vector<Id>, Id> composites_;  // type and parts
};

}  // namespace varylink::spirv
