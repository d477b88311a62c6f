// Changes to compiled modules that keep what they compute and give them shapes that glslang never makes, but other
// compilers, optimizers and hand-written assembly do.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "fuzz/random.h"
#include "spirv/ir/module.h"
#include "spirv/ir/stage.h"

namespace varylink::fuzz {

enum class Edit : std::uint8_t {
  operand_signs,   // integer operations whose operands or result have another signedness than glslang gives them
  initializers,    // what the entry stores first is the initializer of the variable; control outputs have one only
  copies,          // OpCopyObject, some with decorations
  logical_copies,  // structs and arrays through OpCopyLogical
};
constexpr unsigned kEditCount = 4;

std::string_view name_of(Edit edit);

// Which edits a pipeline gets. The same plan and module give the same result.
struct EditPlan {
  std::uint64_t seed = 0;
  std::vector<Edit> edits;
  bool everywhere = false;  // at every place where an edit is possible, not at a random choice: reduction tries this,
                            // so that a failure does not depend on what else is in the module

  bool empty() const { return edits.empty(); }
};

// Applies the plan. An edit that the version of the module does not allow is left out.
void apply_edits(spirv::Module& module, Stage stage, const EditPlan& plan);

// ---- one edit each

// Where an edit that is possible is made.
class EditChoice {
 public:
  EditChoice(std::uint64_t seed, bool everywhere) : random(seed), everywhere_(everywhere) {}

  Random random;
  bool take(double probability) { return random.chance(everywhere_ ? 1.0 : probability); }

 private:
  bool everywhere_;
};

void edit_operand_signs(spirv::Module& module, EditChoice& choice);
void edit_initializers(spirv::Module& module, Stage stage, EditChoice& choice);
void edit_copies(spirv::Module& module, EditChoice& choice);
void edit_logical_copies(spirv::Module& module, EditChoice& choice);

}  // namespace varylink::fuzz
