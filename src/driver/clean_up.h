// The lists of clean-up steps that the driver runs, each with its reason.
#pragma once

#include <array>

#include "link/model/linked_stage.h"
#include "spirv/cleanup/run_clean_up.h"

namespace varylink::driver {

namespace recipes {

using spirv::CleanUp;

// Inlines calls, so that all accesses to varyings are in one function.
inline constexpr std::array kInline = {CleanUp::inline_functions, CleanUp::private_to_local};

// Promotes local variables to values. Aggregates are split first, since only scalars and vectors are promoted. Decided
// branches go, with code that would keep varyings alive.
inline constexpr std::array kPromoteLocals = {CleanUp::sroa, CleanUp::mem2reg, CleanUp::remove_dead_branches,
                                              CleanUp::merge_blocks, CleanUp::remove_dead_code};

// After unrolling: counters become constants, and local arrays that they indexed become values.
inline constexpr std::array kFoldUnrolled = {CleanUp::sccp,         CleanUp::remove_dead_branches,
                                             CleanUp::merge_blocks, CleanUp::sroa,
                                             CleanUp::mem2reg,      CleanUp::remove_dead_code};

// After scalarizing: local variables with the scalars of outputs become values.
inline constexpr std::array kPromoteResults = {CleanUp::private_to_local, CleanUp::sroa, CleanUp::mem2reg};

// Merges equal computations. Not run where an output is invariant: its code is not shared with other code (rule
//
inline constexpr std::array kMergeRedundancies = {CleanUp::gvn};

// Merges computations that were hoisted from several sides of a branch. Not run where an output is invariant.
inline constexpr std::array kMergeCommonValues = {CleanUp::gvn, CleanUp::remove_dead_code};

// Removes decided branches and leaves arithmetic alone (rule ).
inline constexpr std::array kRemoveDecidedBranches = {CleanUp::remove_dead_branches, CleanUp::merge_blocks,
                                                      CleanUp::remove_dead_code};

// After a pass removed the users of code. A branch that only fed it leaves empty blocks.
inline constexpr std::array kRemoveDeadCode = {CleanUp::remove_dead_code, CleanUp::merge_blocks};

// After a pass made constants: removes everything that they decide.
inline constexpr std::array kFold = {CleanUp::sccp, CleanUp::remove_dead_branches, CleanUp::remove_dead_code,
                                     CleanUp::merge_blocks};

// After stores to outputs were removed: removes code that only fed them. Decided branches first, since dead code may
// depend on them.
inline constexpr std::array kRemoveUnstored = {CleanUp::remove_dead_branches, CleanUp::remove_dead_code,
                                               CleanUp::merge_blocks};

// Before the module is written: everything since the last clean-up.
inline constexpr std::array kFinish = {CleanUp::remove_dead_code};

}  // namespace recipes

// Some variable or member is Invariant: its code must not be shared with other code (rule ).
bool has_invariant(const spirv::Module& module);

// Folds constants, decided control flow, and then dead code and memory. Partly needed products are written out in
// fragment stages; in front of the rasterizer they stay products (rule ), while liveness of their factors is
// known all the same (spirv/cleanup/component_liveness.h).
void fold_and_remove(link::LinkedStage& stage);

// The same with products written out in every stage: for stages that are measured and not written.
void fold_as_compilers_do(link::LinkedStage& stage);

// Folds identities now and from now on, if the stage allows it: called when the level is reached.
void start_folding_identities(link::LinkedStage& stage);

// After scalarizing: turns output temporaries into values and removes superfluous code.
void clean_up_after_scalarize(link::LinkedStage& stage);

// After a round of passes: removes control flow and memory that only fed removed code. Constants may decide branches.
void clean_up_after_passes(link::LinkedStage& stage);

}  // namespace varylink::driver
