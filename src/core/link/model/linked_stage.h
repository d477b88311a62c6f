// One stage while it is being linked.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "link/model/properties.h"
#include "spirv/cleanup/run_clean_up.h"
#include "spirv/ir/module.h"
#include "spirv/tools/valid_words.h"
#include "state/pipeline_state.h"
#include "varyings/reflect/interface_variable.h"
#include "varyings/scalarize/varying.h"

namespace varylink::link {

// Set, binding and element of an array of buffers -> first byte behind the stage's certain reads.
using BufferEnds = std::map<std::array<std::uint32_t, 3>, std::uint64_t>;

struct LinkedStage {
  Stage stage = Stage::vertex;
  FileRef file;                                          // name in messages
  std::vector<std::uint32_t> original;                   // the input words
  std::shared_ptr<const spirv::Module> original_module;  // their module, with all entry points
  spirv::Module module;
  varyings::Entry entry;
  std::vector<spirv::Id> kept_globals;  // push constants and the like: declared for an outside reader, used or not
  // Those of them that the input code used, if the application stated facts about the pipeline: the layout has them,
  // even if a fact removed the last use.
  std::vector<spirv::Id> used_as_it_came;
  BufferEnds certain_as_it_came;          // likewise what it read on every path
  std::vector<varyings::Varying> inputs;  // scalarized varyings of the interface in front of this stage
  // Changes with the module and the lists of varyings to a number that no earlier state had: note_change().
  std::uint64_t revision = 0;
  std::vector<spirv::Id> kept_functions;   // stay functions, since no varying goes through them (rule)
  std::vector<varyings::Varying> outputs;  // and behind it
  Properties properties;                   // none before kPrepare (prepare/recipes.h) has run

  // The bound of ids when local variables last became values: older variables that are left could not become one then.
  spirv::Id promoted_below = 0;

  // Algebra of finite numbers may be used: the stage is linked at -O2 by now.
  bool folds_identities = false;

  // This stage or one behind it writes to transform feedback buffers, whose bytes stay as they are (rule ): not
  // even the rounding of values that flow there may change.
  bool reaches_capture = false;

  Diagnostics warnings;  // about the input module

  state::PipelineState state;  // facts that hold in all pipelines of the stage
  // The facts that have been written into `module` and `original_module`. Both then differ from the input, but do the
  // same in a pipeline with this state.
  state::PipelineState assumed;

  spirv::ValidWords* valid_words = nullptr;  // not owned; none: the validator always runs

  void note_change();

  // Linking does not change the module.
  bool stays_as_it_came() const { return properties.is_empty(); }

  // Varyings became scalars, whose values are in local variables.
  void note_scalarized();

  // The entry point has all code that a varying can reach.
  bool is_one_function() const;

  // spirv::run_clean_up on the module.
  void clean_up(std::span<const spirv::CleanUp> steps);
};

}  // namespace varylink::link
