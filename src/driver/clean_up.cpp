#include "driver/clean_up.h"

#include <algorithm>
#include <vector>

#include "spirv/cleanup/common_values.h"
#include "spirv/cleanup/constant_tables.h"
#include "spirv/cleanup/equal_arms.h"
#include "spirv/cleanup/fold_identities.h"
#include "spirv/cleanup/outside_accesses.h"
#include "spirv/cleanup/partial_products.h"
#include "spirv/cleanup/simplify.h"
#include "spirv/ir/constructs.h"

namespace varylink::driver {
namespace {

using link::LinkedStage;
using spirv::CleanUp;
using spirv::InstRef;
using spirv::Module;

// A branch on a constant, such as unrolling and folding of composites leave behind.
bool has_decided_branch(const Module& module) {
  const auto is_decided = [&](const spirv::Block& block) { return spirv::decided_target(module, block) != 0; };
  return std::any_of(module.functions.begin(), module.functions.end(), [&](const spirv::Function& function) {
    return std::any_of(function.blocks.begin(), function.blocks.end(), is_decided);
  });
}

constexpr int kMaxProductRounds = 8;  // rule

void fold(LinkedStage& stage, bool writes_out_products) {
  do {
    stage.clean_up(recipes::kFold);
    spirv::remove_outside_accesses(stage.module);
    spirv::simplify(stage.module);
    // Columns of a product are products themselves, of which less is needed.
    const int rounds = writes_out_products ? kMaxProductRounds : 0;
    for (int round = 0; round < rounds && spirv::write_out_partial_products(stage.module); ++round)
      spirv::simplify(stage.module);
  } while (spirv::merge_equal_arms(stage.module) ||
           (stage.may_fold_identities && spirv::fold_identities(stage.module)));
}

// Where two inputs became one, or constants were folded, what is computed from them may have become the same, and an
// output a duplicate.
void merge_what_became_the_same(LinkedStage& stage) {
  if (stage.stage != Stage::vertex && stage.stage != Stage::fragment && !has_invariant(stage.module))
    stage.clean_up(recipes::kMergeRedundancies);
}

}  // namespace

bool has_invariant(const Module& module) {
  return std::any_of(module.annotations.begin(), module.annotations.end(), [&](InstRef inst) {
    const bool on_member = module[inst].op == spv::Op::OpMemberDecorate;
    return static_cast<spv::Decoration>(module.operand(inst, on_member ? 2 : 1).word) == spv::Decoration::Invariant;
  });
}

void fold_and_remove(LinkedStage& stage) { fold(stage, stage.stage == Stage::fragment); }

void fold_as_compilers_do(LinkedStage& stage) { fold(stage, true); }

void start_folding_identities(LinkedStage& stage) {
  if (!stage.allows_identities || stage.may_fold_identities) return;
  stage.may_fold_identities = true;
  if (!spirv::fold_identities(stage.module)) return;
  fold_and_remove(stage);
  stage.note_change();
}

void clean_up_after_scalarize(link::LinkedStage& stage) {
  // Copies in memory between the interface and private variables have become loads and stores.
  std::vector<CleanUp> steps(recipes::kPromoteResults.begin(), recipes::kPromoteResults.end());
  if (!has_invariant(stage.module)) steps.push_back(CleanUp::gvn);
  steps.push_back(CleanUp::remove_dead_code);
  spirv::fold_composites(stage.module);
  spirv::remove_outside_accesses(stage.module);
  spirv::initialize_tables(stage.module, stage.entry.function);
  stage.clean_up(steps);
  // Locals are values now, and what two sides of a branch store in one has met.
  if (!has_invariant(stage.module) && spirv::hoist_common_values(stage.module))
    stage.clean_up(recipes::kMergeCommonValues);
  spirv::simplify(stage.module);
  if (stage.stage == Stage::fragment) {
    fold_and_remove(stage);
  } else if (has_decided_branch(stage.module)) {
    stage.clean_up(recipes::kRemoveDecidedBranches);
    spirv::simplify(stage.module);
  }
}

void clean_up_after_passes(LinkedStage& stage) {
  merge_what_became_the_same(stage);
  bool folds = stage.has_new_constants;
  if (!folds) {
    stage.clean_up(recipes::kRemoveDeadCode);
    spirv::simplify(stage.module);
    folds = spirv::merge_equal_arms(stage.module);
  }
  if (folds) {
    fold_and_remove(stage);
    merge_what_became_the_same(stage);
  }
  stage.has_dead_code = stage.has_new_constants = false;
}

}  // namespace varylink::driver
