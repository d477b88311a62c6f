// The lists of clean-up steps that the driver runs, each with its reason, and what is made of them.
#pragma once

#include <array>

#include "link/model/linked_stage.h"
#include "spirv/tools/optimize.h"

namespace varylink::driver {

namespace recipes {

using spirv::CleanUp;

// Calls become code, so that all accesses to varyings stand in one function.
inline constexpr std::array kInline = {CleanUp::inline_functions, CleanUp::private_to_local};

// Local variables become values. Aggregates are split before, since only scalars and vectors are promoted; branches
// that turn out decided go, and with them code that would keep varyings alive.
inline constexpr std::array kPromoteLocals = {CleanUp::split_aggregates, CleanUp::promote_locals,
                                              CleanUp::remove_dead_branches, CleanUp::merge_blocks,
                                              CleanUp::remove_dead_code};

// Marked loops are unrolled; their counters become constants, and local arrays that they indexed become values.
inline constexpr std::array kUnroll = {
    CleanUp::unroll_marked_loops, CleanUp::propagate_constants, CleanUp::remove_dead_branches, CleanUp::merge_blocks,
    CleanUp::split_aggregates,    CleanUp::promote_locals,      CleanUp::remove_dead_code};

// Lifting has put the scalars of outputs into local variables; they become values.
inline constexpr std::array kPromoteShadows = {CleanUp::private_to_local, CleanUp::split_aggregates,
                                               CleanUp::promote_locals};

// The same computation twice becomes one. Not run where an output is invariant: code that it depends on is not shared
// with other code (rule ).
inline constexpr std::array kMergeRedundancies = {CleanUp::merge_redundancies};

// What was computed on several sides of a branch is computed in front of it: once. Not run where an output is
// invariant.
inline constexpr std::array kMergeCommonValues = {CleanUp::merge_redundancies, CleanUp::remove_dead_code};

// Control flow only: no arithmetic of the stage changes (rule ).
inline constexpr std::array kRemoveDecidedBranches = {CleanUp::remove_dead_branches, CleanUp::merge_blocks,
                                                      CleanUp::remove_dead_code};

// A pass removed what code was for. A branch that only fed it leaves blocks behind that stand for nothing.
inline constexpr std::array kRemoveDeadCode = {CleanUp::remove_dead_code, CleanUp::merge_blocks};

// A pass made constants: what they decide goes.
inline constexpr std::array kFold = {CleanUp::propagate_constants, CleanUp::remove_dead_branches,
                                     CleanUp::remove_dead_code, CleanUp::merge_blocks};

// Stores to outputs were taken away: what was only for them goes. Decided branches first, since dead code may hang on
// them.
inline constexpr std::array kRemoveUnstored = {CleanUp::remove_dead_branches, CleanUp::remove_dead_code,
                                               CleanUp::merge_blocks};

// Before the module is written: what no pass looked at since the last clean-up.
inline constexpr std::array kFinish = {CleanUp::remove_dead_code};

}  // namespace recipes

// Some variable or member has the Invariant decoration: code that it depends on must not be shared with other code
// (rule ).
bool has_invariant(const spirv::Module& module);

// Folds constants and what they decide, and removes what is dead then: control flow and memory, too. Products of which
// a part is needed are written out in fragment stages; in front of the rasterizer they stay products (rule ), and
// what they need of their factors is known all the same (spirv/cleanup/component_liveness.h).
void fold_and_remove(link::LinkedStage& stage);

// The same with products written out in every stage: for what is priced and not written.
void fold_as_compilers_do(link::LinkedStage& stage);

// Folds identities from now on, if the stage allows it, and what is there at once: the level has come that does so.
void start_folding_identities(link::LinkedStage& stage);

// After lifting: turns the shadows of the outputs into values and removes what became superfluous.
void clean_up_after_lift(link::LinkedStage& stage);

// After a round of passes: control flow and memory that only fed what they removed. Constants may decide branches.
void clean_up_after_passes(link::LinkedStage& stage);

}  // namespace varylink::driver
