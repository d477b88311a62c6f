// Lists of steps (steps.h) in the order in which they run on a stage: one table.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "prepare/steps.h"

namespace varylink::prepare {

// When a recipe takes one of its steps.
enum class When : std::uint8_t {
  always,
  returns_early,          // a function that calls are inlined of returns at several places
  calls_are_left,         // some function is still called
  locals_are_left,        // some function still has local variables
  copies_vertices,        // some code loads a whole per-vertex array
  copies_arrays,          // the same, or an array of another input
  unless_invariant,       // code of invariant outputs is not shared with other code (rule)
  between_stages,         // neither the first nor the last stage, and nothing is invariant
  in_fragment,            // stages in front of the rasterizer keep their arithmetic (rule)
  decided_before_raster,  // such a stage has a branch on a constant
  has_identities,         // the level is -O2, and the stage leaves the sign of zero to the device
  has_new_constants,
  has_no_new_constants,
  asked_for_resources,   // LinkOptions::strip_unused_resources
  asked_for_attributes,  // LinkOptions::strip_unused_attributes
};

enum class Again : std::uint8_t { no, this_item, whole_recipe };

struct RecipeItem {
  std::optional<Step> step = {};  // none: the item is its `then`; under a condition, clean-ups in it are its own
  When when = When::always;
  std::span<const RecipeItem> then = {};  // follows if the step changed something
  Again again = Again::no;                // runs once more if the step changed something
};

struct Recipe {
  std::string_view name;
  std::string_view purpose;
  std::span<const RecipeItem> items;
  link::Properties gives = {};  // beside what the steps give
};

// Steps that run if the caller asks for them.
struct RecipeOptions {
  bool strip_resources = false, strip_attributes = false;
};

// After open_stage(): inlines functions and promotes local variables to values. Computed values do not change.
extern const Recipe kPrepare;
// After kPrepare: unrolls loops whose counter indexes a varying, with kFoldUnrolled behind it.
extern const Recipe kUnroll;
// After unrolling: counters become constants, and local arrays that they indexed become values.
extern const Recipe kFoldUnrolled;
// After facts about the pipeline became constants: removes everything that they decide.
extern const Recipe kFoldConstants;
// After scalarizing: turns output temporaries into values and removes superfluous code.
extern const Recipe kAfterScalarize;
// After a round of passes: removes control flow and memory that only fed removed code. Constants may decide branches.
extern const Recipe kAfterPasses;
// Once -O2 is reached.
extern const Recipe kFoldIdentities;
// Last clean-up before the module is written.
extern const Recipe kFinish;
// For the estimated cost of a stage that was prepared and scalarized, but not linked: the way every compiler folds it,
// so that linking does not look better for having done it first. Never written.
extern const Recipe kForCost;
// For comparing position code, once stores to varyings are gone: taking vectors apart computes nothing, and equal
// values are computed once. Never written.
extern const Recipe kForComparing;

// All of them in the order in which a stage meets them.
std::span<const Recipe* const> recipes();
// A line for each recipe, with its steps, for --help-passes.
std::string recipes_text();

// Runs the recipe. A Debug build ends the program if a step misses a property that it needs, or if the stage does not
// have one that the table says it has.
void run_recipe(const Recipe& recipe, link::LinkedStage& stage, const RecipeOptions& options = {});

}  // namespace varylink::prepare
