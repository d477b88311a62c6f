// One stage while it is being linked.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "analysis/pipeline_state.h"
#include "base/diagnostic.h"
#include "spirv/ir/module.h"
#include "spirv/tools/optimize.h"
#include "varyings/lift/varying.h"
#include "varyings/reflect/interface_variable.h"

namespace varylink::link {

struct LinkedStage {
  Stage stage = Stage::vertex;
  FileRef file;                                          // what messages call it
  std::vector<std::uint32_t> original;                   // the words that came in
  std::shared_ptr<const spirv::Module> original_module;  // what they say, with all entry points
  spirv::Module module;
  varyings::Entry entry;
  std::vector<spirv::Id> kept_globals;  // push constants and the like: declared for an outside reader, used or not
  // Of these, those that the code used when it came in, where the application said something about the pipeline: the
  // pipeline layout has them, even if what was said took the last use away.
  std::vector<spirv::Id> used_as_it_came;
  std::vector<varyings::Varying> inputs;  // lifted varyings of the interface in front of this stage
  // Whenever the module or the lists of varyings change, a number that no state of any stage had before: note_change().
  std::uint64_t revision = 0;
  std::vector<spirv::Id> kept_functions;   // stay functions, since no varying goes through them (rule)
  bool has_dead_code = false;              // a pass left code behind that only SPIRV-Tools can remove
  bool has_new_constants = false;          // folding is worth while
  std::vector<varyings::Varying> outputs;  // and behind it

  // Algebra that holds for finite numbers may be used at -O2: a fragment shader (what feeds Position keeps its
  // instruction sequence, rule) whose float controls allow it.
  bool allows_identities = false;
  bool may_fold_identities = false;  // and it has come to that

  // This stage or one behind it writes to transform feedback buffers, whose bytes stay as they are (rule ): not
  // even the rounding of what flows there may change.
  bool reaches_capture = false;

  Diagnostics warnings;  // about the module as it came in

  analysis::PipelineState state;  // what holds in all pipelines that the stage is part of
  // What of it has been written into `module` and `original_module`. Both are then no longer what came in, but do the
  // same in a pipeline with this state.
  analysis::PipelineState assumed;

  spirv::ToolCache* tool_cache = nullptr;  // not owned; none: SPIRV-Tools always runs

  void note_change();

  // All code that may have to do with varyings stands in the entry point.
  bool is_one_function() const;

  // Runs SPIRV-Tools passes on the module. Ids of what survives stay the same, handles do not. If SPIRV-Tools fails the
  // module stays as it was.
  void clean_up(std::span<const spirv::CleanUp> steps);
};

}  // namespace varylink::link
