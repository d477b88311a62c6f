#include "inspect/position_code.h"

#include <vector>

#include "driver/open_stage.h"
#include "driver/recipes.h"
#include "spirv/ir/canonical_code.h"
#include "spirv/ir/op_info.h"
#include "spirv/ir/uses.h"

namespace varylink::inspect {
namespace {

using spirv::Id;
using spirv::InstRef;

// The stores to what `pointer` points to or into; false if it is used in another way.
bool find_stores(const spirv::Module& module, const spirv::Uses& uses, Id pointer, std::vector<InstRef>& stores) {
  for (const InstRef user : uses.of(pointer)) {
    const spv::Op op = module[user].op;
    if (op == spv::Op::OpStore && module.operand(user, 0).word == pointer)
      stores.push_back(user);
    else if (!spirv::is_access_chain(op) || !find_stores(module, uses, module[user].result, stores))
      return false;
  }
  return true;
}

// Outputs that the stage reads back stay.
void remove_varyings(link::LinkedStage& stage) {
  const spirv::Uses uses(stage.module);
  std::vector<InstRef> dead;
  for (const varyings::InterfaceVariable& output :
       varyings::interface_variables(stage.module, stage.entry, varyings::Direction::output)) {
    std::vector<InstRef> stores;
    if (find_stores(stage.module, uses, output.id, stores)) dead.insert(dead.end(), stores.begin(), stores.end());
  }
  for (const InstRef store : dead) stage.module.kill(store);
  stage.module.sweep();
}

}  // namespace

Result<std::string> position_code(const link::StageInput& input, const spirv::ValidatorOptions& validator,
                                  spirv::ValidWords* valid_words) {
  if (input.stage != Stage::vertex)
    return make_error(ErrorKind::usage, input.file, "only the position code of vertex shaders can be compared");
  Result<link::LinkedStage> stage = driver::open_stage(input.file, input, validator, valid_words);
  if (!stage) return stage.error();
  if (const std::string reason = driver::reason_to_leave_alone(*stage); !reason.empty())
    return make_error(ErrorKind::usage, input.file, reason);
  driver::run_recipe(driver::kPrepare, *stage);
  remove_varyings(*stage);
  driver::run_recipe(driver::kForComparing, *stage);
  return spirv::canonical_code(stage->module, stage->entry.function);
}

}  // namespace varylink::inspect
