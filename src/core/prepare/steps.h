// The steps that bring a stage into the form that linking works on, and clean it up again: one table. recipes.h puts
// them in order.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "link/model/linked_stage.h"
#include "link/model/properties.h"
#include "spirv/cleanup/run_clean_up.h"

namespace varylink::prepare {

enum class Step : std::uint8_t {
  make_volatile_explicit,
  make_local_accesses_plain,
  remove_outside_accesses,
  lower_initializers,
  keep_functions,
  merge_returns,
  inline_functions,
  private_to_local,
  forward_array_copies,
  split_vertex_array_loads,
  sroa,
  mem2reg,
  remove_dead_branches,
  merge_blocks,
  remove_dead_code,
  give_up_functions,
  read_vertices_directly,
  write_outputs_directly,
  split_memory_copies,
  forward_own_stores,
  split_payload_copies,
  keep_results_in_locals,
  unroll_loops,
  fold_composites,
  initialize_tables,
  gvn,
  hoist_common_values,
  simplify,
  sccp,
  fold_integers,
  write_out_products,
  merge_equal_arms,
  fold_identities,
  write_out_mixes,
  remove_unused_resources,
  remove_unused_attributes,
  restore_loop_bodies,
  sink_loads,
  copy_spec_selectors,
  trim_capabilities,
  unmark_functions,
};

// Facts that a recipe knows about the stage it runs on.
struct StepFacts {
  bool copies_vertices = false;  // some code loads a whole per-vertex array
};

enum class Change : std::uint8_t { none, some, untold };

struct StepInfo {
  Step step;
  std::string_view name;  // "merge-returns" and the like
  std::string_view summary;
  // Consecutive steps of a recipe that have one run as one clean-up (spirv/cleanup/run_clean_up.h).
  std::optional<spirv::CleanUp> clean_up = {};
  Change (*run)(link::LinkedStage& stage, const StepFacts& facts) = nullptr;  // all others
  link::Properties needs = {};                                                // of the stage when the step runs
  link::Properties gives = {};                                                // hold afterwards
  link::Properties breaks = {};  // may not hold any more if the step changed something
};

const StepInfo& info_of(Step step);
// In the order of Step.
std::span<const StepInfo> all_steps();
// nullptr if there is none with that name.
const StepInfo* find_step(std::string_view name);

}  // namespace varylink::prepare
