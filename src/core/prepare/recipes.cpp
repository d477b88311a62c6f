#include "prepare/recipes.h"

#include <algorithm>
#include <array>
#include <vector>

#include "analysis/built_in_slice.h"
#include "prepare/check_properties.h"
#include "spirv/cleanup/clean_ups.h"
#include "spirv/ir/constructs.h"
#include "varyings/scalarize/code_forms.h"

namespace varylink::prepare {
namespace {

using link::LinkedStage;
using spirv::CleanUp;
using spirv::InstRef;
using spirv::Module;

// Apart, since the steps have names of functions.
namespace items {

using enum Step;

// Aggregates are split first, since only scalars and vectors are promoted. Decided branches go, with code that would
// keep varyings alive, before loops are counted and accesses looked at.
constexpr RecipeItem kPromote[] = {{sroa}, {mem2reg}, {fold_integers}};
constexpr RecipeItem kPromoteLocals[] = {{{}, When::always, kPromote},
                                         {{}, When::locals_are_left, kPromote},  // whose indices were in locals
                                         {remove_dead_branches},
                                         {merge_blocks},
                                         {remove_dead_code}};

// Functions with early returns cannot be inlined as they are. Merging the returns of the entry point itself would only
// complicate it, so it is done only if some other function needs it.
constexpr RecipeItem kInline[] = {{merge_returns, When::returns_early}, {inline_functions}, {private_to_local}};

constexpr RecipeItem kInlineAndPromote[] = {{{}, When::always, kInline}, {{}, When::always, kPromoteLocals}};

constexpr RecipeItem kPrepare[] = {
    {make_volatile_explicit},
    {make_local_accesses_plain},
    {remove_outside_accesses},
    {lower_initializers},
    {keep_functions},
    {{}, When::always, kInline},
    {split_memory_copies},  // before locals fall apart; again for code that was left as functions so far
    // A dynamic index goes to the input itself first; then its copies fall apart.
    {forward_array_copies, When::copies_arrays},
    {split_vertex_array_loads, When::copies_vertices},
    {{}, When::always, kPromoteLocals},
    {{}, When::calls_are_left, kInlineAndPromote},  // where decided branches and dead code were in the way
    {give_up_functions, When::always, kInlineAndPromote},
    {make_volatile_explicit},  // of pointers that were parameters
    {read_vertices_directly, When::always, kPromoteLocals, Again::this_item},
    {write_outputs_directly, When::always, kPromoteLocals},
    {split_memory_copies},
    {forward_own_stores, When::always, kPromoteLocals},
    {split_payload_copies},
    {keep_results_in_locals},
};

constexpr RecipeItem kUnroll[] = {{unroll_loops}, {remove_outside_accesses}};  // of indices that are constant by now

constexpr RecipeItem kFoldUnrolled[] = {{sccp},    {remove_dead_branches}, {merge_blocks}, {sroa},
                                        {mem2reg}, {remove_dead_code}};

constexpr RecipeItem kFoldConstants[] = {{sccp}, {remove_dead_branches}, {remove_dead_code}, {merge_blocks}};

// Constants, decided control flow, and then dead code and memory. Partly needed products are written out in fragment
// stages; in front of the rasterizer they stay products (rule ), while liveness of their factors is known all the
// same (spirv/cleanup/component_liveness.h).
constexpr RecipeItem kFold[] = {
    {{}, When::always, kFoldConstants},
    {remove_outside_accesses},
    {simplify},
    {write_out_products, When::in_fragment},
    {merge_equal_arms, When::always, {}, Again::whole_recipe},
    {fold_identities, When::has_identities, {}, Again::whole_recipe},
    {write_out_mixes, When::has_identities},
};

constexpr RecipeItem kMergeAndRemove[] = {{gvn}, {remove_dead_code}};

// Arithmetic stays (rule ).
constexpr RecipeItem kRemoveDecidedBranches[] = {
    {remove_dead_branches}, {merge_blocks}, {remove_dead_code}, {simplify}};

// Copies in memory between the interface and private variables have become loads and stores.
constexpr RecipeItem kAfterScalarize[] = {
    {fold_composites},
    {remove_outside_accesses},
    {initialize_tables},
    {private_to_local},
    {sroa},
    {mem2reg},
    {gvn, When::unless_invariant},
    {remove_dead_code},
    // Locals are values now, and what two sides of a branch store in one has met.
    {hoist_common_values, When::unless_invariant, kMergeAndRemove},
    {simplify},
    {{}, When::in_fragment, kFold},
    {{}, When::decided_before_raster, kRemoveDecidedBranches},
};

// Where two inputs became one, or constants were folded, what is computed from them may have become the same, and an
// output a duplicate.
constexpr RecipeItem kFoldAndMerge[] = {{{}, When::always, kFold}, {gvn, When::between_stages}};

constexpr RecipeItem kRemoveDead[] = {
    {remove_dead_code},
    {merge_blocks},  // a branch that only fed dead code leaves empty ones
    {simplify},
    {merge_equal_arms, When::always, kFoldAndMerge},
};

constexpr RecipeItem kAfterPasses[] = {
    {gvn, When::between_stages},
    {{}, When::has_no_new_constants, kRemoveDead},
    {{}, When::has_new_constants, kFoldAndMerge},
};

constexpr RecipeItem kFoldIdentities[] = {{fold_identities, When::has_identities, kFold},
                                          {write_out_mixes, When::has_identities}};

constexpr RecipeItem kFinish[] = {
    {simplify},
    {remove_dead_code},
    {remove_unused_resources, When::asked_for_resources},
    {remove_unused_attributes, When::asked_for_attributes},
    {initialize_tables},
    {restore_loop_bodies},
    {sink_loads},
    {copy_spec_selectors},
    {trim_capabilities},
    {unmark_functions},
};

constexpr RecipeItem kFoldAsCompilersDo[] = {
    {{}, When::always, kFoldConstants},
    {remove_outside_accesses},
    {simplify},
    {write_out_products},
    {merge_equal_arms, When::always, {}, Again::whole_recipe},
    {fold_identities, When::always, {}, Again::whole_recipe},
    {write_out_mixes},
};

constexpr RecipeItem kForCost[] = {
    {fold_composites},
    {private_to_local},
    {sroa},
    {mem2reg},
    {gvn},
    {remove_dead_code},
    {hoist_common_values, When::always, kMergeAndRemove},
    {{}, When::always, kFoldAsCompilersDo},
    {{}, When::always, kMergeAndRemove},
    {initialize_tables},
};

// Varyings are private variables by now. Decided branches go before dead code, which may depend on them.
constexpr RecipeItem kForComparing[] = {
    {private_to_local}, {{}, When::always, kPromoteLocals}, {simplify}, {gvn}, {remove_dead_code}, {merge_blocks}};

}  // namespace items

using link::Property;

}  // namespace

const Recipe kPrepare = {"prepare", "inlines calls and promotes local variables", items::kPrepare};
const Recipe kUnroll = {"unroll", "unrolls loops whose counter indexes a varying", items::kUnroll};
const Recipe kFoldUnrolled = {"fold-unrolled", "after loops were unrolled", items::kFoldUnrolled};
const Recipe kFoldConstants = {"fold-constants", "after facts about the pipeline became constants",
                               items::kFoldConstants};
const Recipe kAfterScalarize = {"after-scalarize",
                                "after varyings became scalars",
                                items::kAfterScalarize,
                                {Property::no_leftovers, Property::no_new_constants}};
const Recipe kAfterPasses = {"after-passes",
                             "after a round of passes",
                             items::kAfterPasses,
                             {Property::no_leftovers, Property::no_new_constants}};
const Recipe kFoldIdentities = {"fold-identities", "once -O2 is reached", items::kFoldIdentities};
const Recipe kFinish = {"finish", "before a module is written", items::kFinish};
const Recipe kForCost = {"for-cost", "before the cost of a stage is estimated", items::kForCost};
const Recipe kForComparing = {"for-comparing", "before position code is compared", items::kForComparing};

std::span<const Recipe* const> recipes() {
  static constexpr const Recipe* kAll[] = {&kPrepare,        &kUnroll,      &kFoldUnrolled,   &kFoldConstants,
                                           &kAfterScalarize, &kAfterPasses, &kFoldIdentities, &kFinish,
                                           &kForCost,        &kForComparing};
  return kAll;
}

namespace {

// A branch on a constant, such as unrolling and folding of composites leave behind.
bool has_decided_branch(const Module& module) {
  const auto is_decided = [&](const spirv::Block& block) { return spirv::decided_target(module, block) != 0; };
  return std::any_of(module.functions.begin(), module.functions.end(), [&](const spirv::Function& function) {
    return std::any_of(function.blocks.begin(), function.blocks.end(), is_decided);
  });
}

bool returns_early(const LinkedStage& stage) {
  const auto& kept = stage.kept_functions;
  return std::any_of(
      stage.module.functions.begin(), stage.module.functions.end(), [&](const spirv::Function& function) {
        return function.result != stage.entry.function && spirv::count_returns(stage.module, function) > 1 &&
               std::find(kept.begin(), kept.end(), function.result) == kept.end();
      });
}

bool has_any(const Module& module, spv::Op op) {
  for (const spirv::Function& function : module.functions)
    for (const spirv::Block& block : function.blocks)
      for (const spirv::InstRef inst : block.body)
        if (module[inst].op == op) return true;
  return false;
}

class RecipeRun {
 public:
  RecipeRun(LinkedStage& stage, const RecipeOptions& options) : stage_(stage), options_(options) {}

  void run(std::span<const RecipeItem> items) {
    for (std::size_t i = 0; i < items.size(); ++i) {
      const RecipeItem& item = items[i];
      if (!item.step && item.when != When::always) flush();
      if (!applies(item.when)) continue;
      if (item.step && take(info_of(*item.step)) == Change::none) continue;
      run(item.then);
      if (item.again == Again::this_item) --i;
      if (item.again == Again::whole_recipe) i = static_cast<std::size_t>(-1);
    }
  }

  // Runs the steps that wait for others to run with them.
  void flush() {
    if (waiting_.empty()) return;
    stage_.clean_up(waiting_);
    waiting_.clear();
  }

  bool has_changed() const { return has_changed_; }

 private:
  Change take(const StepInfo& step) {
    check_needs(stage_.properties, step);
    Change change = Change::untold;
    if (step.clean_up) {
      waiting_.push_back(*step.clean_up);
    } else {
      flush();
      change = step.run(stage_, facts_);
    }
    if (change != Change::none) {
      has_changed_ = true;
      stage_.properties.remove(step.breaks);
    }
    stage_.properties.add(step.gives);  // also where there was nothing to do
    return change;
  }

  bool applies(When when) {
    const Stage stage = stage_.stage;
    switch (when) {
      case When::always: return true;
      case When::returns_early: return returns_early(stage_);
      case When::calls_are_left: return has_any(stage_.module, spv::Op::OpFunctionCall);
      case When::locals_are_left: return has_any(stage_.module, spv::Op::OpVariable);
      case When::copies_vertices: return copies_vertices();
      case When::copies_arrays: return copies_vertices() || varyings::loads_array_of_input(stage_.module);
      case When::unless_invariant: return !analysis::has_invariant(stage_.module);
      case When::between_stages:
        return stage != Stage::vertex && stage != Stage::fragment && !analysis::has_invariant(stage_.module);
      case When::in_fragment: return stage == Stage::fragment;
      case When::decided_before_raster: return stage != Stage::fragment && has_decided_branch(stage_.module);
      case When::has_identities:
        return stage == Stage::fragment && stage_.folds_identities && spirv::allows_identities(stage_.module);
      case When::has_new_constants: return !stage_.properties.has(Property::no_new_constants);
      case When::has_no_new_constants: return stage_.properties.has(Property::no_new_constants);
      case When::asked_for_resources: return options_.strip_resources;
      case When::asked_for_attributes: return options_.strip_attributes && stage == Stage::vertex;
    }
    return false;
  }

  // As the code was when the recipe first asked.
  bool copies_vertices() {
    if (!asked_for_vertices_) facts_.copies_vertices = varyings::loads_whole_vertex_array(stage_.module, stage_.entry);
    asked_for_vertices_ = true;
    return facts_.copies_vertices;
  }

  LinkedStage& stage_;
  const RecipeOptions& options_;
  StepFacts facts_;
  bool asked_for_vertices_ = false;
  bool has_changed_ = false;
  std::vector<CleanUp> waiting_;
};

std::string_view text_of(When when) {
  switch (when) {
    case When::always: return {};
    case When::returns_early: return "if a function returns early";
    case When::calls_are_left: return "if calls are left";
    case When::locals_are_left: return "if locals are left";
    case When::copies_vertices: return "if a per-vertex array is loaded as a whole";
    case When::copies_arrays: return "if an array of an input is loaded as a whole";
    case When::unless_invariant: return "unless an output is invariant";
    case When::between_stages: return "in stages between others";
    case When::in_fragment: return "in fragment stages";
    case When::decided_before_raster: return "in other stages, if a branch is decided";
    case When::has_identities: return "at -O2, in fragment stages";
    case When::has_new_constants: return "after new constants";
    case When::has_no_new_constants: return "without new constants";
    case When::asked_for_resources: return "with --strip-unused-resources";
    case When::asked_for_attributes: return "with --strip-unused-attributes";
  }
  return {};
}

// "a, b (at -O2: c, d)": groups in parentheses.
std::string text_of(std::span<const RecipeItem> items) {
  std::string text;
  for (const RecipeItem& item : items) {
    if (!text.empty()) text += ", ";
    std::string words(text_of(item.when));
    if (item.step) {
      text += info_of(*item.step).name;
      if (item.again != Again::no) words += (words.empty() ? "" : "; ") + std::string("again if something changed");
      if (!item.then.empty()) words += (words.empty() ? "" : "; ") + std::string("then ") + text_of(item.then);
      if (!words.empty()) text += " (" + words + ")";
    } else {
      text += words.empty() ? text_of(item.then) : "(" + words + ": " + text_of(item.then) + ")";
    }
  }
  return text;
}

}  // namespace

std::string recipes_text() {
  std::string text;
  for (const Recipe* recipe : recipes())
    text += std::string(recipe->name) + ", " + std::string(recipe->purpose) + ":\n  " + text_of(recipe->items) + "\n";
  return text;
}

void run_recipe(const Recipe& recipe, LinkedStage& stage, const RecipeOptions& options) {
  check_properties(stage, recipe.name);
  RecipeRun run(stage, options);
  run.run(recipe.items);
  run.flush();
  stage.properties.add(recipe.gives);
  if (run.has_changed()) stage.note_change();
  check_properties(stage, recipe.name);
}

}  // namespace varylink::prepare
