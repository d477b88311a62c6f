#include "spirv/tools/optimize.h"

#include <algorithm>
#include <cstring>
#include <spirv-tools/optimizer.hpp>

#include "base/sha256.h"
#include "spirv/cleanup/dead_code.h"
#include "spirv/cleanup/inline_calls.h"
#include "spirv/cleanup/merge_blocks.h"
#include "spirv/cleanup/merge_returns.h"
#include "spirv/cleanup/promote_locals.h"
#include "spirv/cleanup/propagate_constants.h"
#include "spirv/cleanup/redundancies.h"
#include "spirv/cleanup/simplify.h"
#include "spirv/cleanup/split_aggregates.h"
#include "spirv/cleanup/volatile_access.h"
#include "spirv/ir/globals.h"
#include "spirv/tools/binary.h"
#include "spirv/tools/clean_up_work.h"
#include "spirv/tools/decorated_copies.h"
#include "spirv/tools/tool_words.h"
#include "spirv/tools/tools.h"

namespace varylink::spirv {
namespace {

void register_step(spvtools::Optimizer& optimizer, CleanUp step) {
  using namespace spvtools;
  const auto add = [&](Optimizer::PassToken&& token) { optimizer.RegisterPass(std::move(token)); };
  switch (step) {
    case CleanUp::merge_returns: return add(CreateMergeReturnPass());
    case CleanUp::inline_functions: add(CreateInlineExhaustivePass()); return add(CreateEliminateDeadFunctionsPass());
    case CleanUp::private_to_local: return add(CreatePrivateToLocalPass());
    case CleanUp::forward_array_copies: return add(CreateCopyPropagateArraysPass());
    case CleanUp::split_aggregates: return add(CreateScalarReplacementPass(0));
    case CleanUp::promote_locals:
      add(CreateLocalAccessChainConvertPass());
      add(CreateLocalSingleBlockLoadStoreElimPass());
      add(CreateLocalSingleStoreElimPass());
      return add(CreateSSARewritePass());
    case CleanUp::unroll_marked_loops: return add(CreateLoopUnrollPass(true));
    case CleanUp::propagate_constants: return;  // never asked for: spirv/cleanup/propagate_constants.h
    case CleanUp::remove_dead_branches: return add(CreateDeadBranchElimPass());
    case CleanUp::merge_blocks: return add(CreateBlockMergePass());
    case CleanUp::merge_redundancies: return add(CreateRedundancyEliminationPass());
    case CleanUp::remove_dead_code: return add(CreateAggressiveDCEPass(true));
    case CleanUp::compact_ids: return add(CreateCompactIdsPass());
    case CleanUp::fold_specialized: return add(CreateFoldSpecConstantOpAndCompositePass());
  }
}

// SPIRV-Tools keeps what an entry point lists. Listing a global for the time of the run is the public way to say that
// its declaration has an outside reader; modules before SPIR-V 1.4 may not list it for good.
std::vector<Id> keep_alive(Module& module, std::span<const Id> kept_globals) {
  std::vector<Id> added;
  const std::vector<EntryPoint> entries = module.entries();
  if (entries.empty()) return added;
  const std::vector<Id>& listed = entries.front().interface;
  for (const Id target : kept_globals) {
    if (std::find(listed.begin(), listed.end(), target) != listed.end()) continue;
    add_to_interface(module, entries.front().inst, target);
    added.push_back(target);
  }
  return added;
}

void unpin(Module& module, std::span<const Id> added) {
  if (added.empty() || module.entry_points.empty()) return;
  const InstRef entry = module.entry_points.front();
  std::vector<Operand> kept;
  for (const Operand& operand : module.operands(entry))
    if (!operand.is_id || std::find(added.begin(), added.end(), operand.word) == added.end()) kept.push_back(operand);
  module.rewrite(entry, spv::Op::OpEntryPoint, kept);
}

using Words = std::vector<std::uint32_t>;

std::string clean_up_key(const Words& words, std::span<const CleanUp> steps) {
  Sha256 hash;
  hash.add(std::string_view("steps"));
  hash.add(tools_version());
  for (const CleanUp step : steps) hash.add(std::uint64_t{static_cast<unsigned>(step)});
  hash.add(std::span(words));
  return hash.hex();
}

// run_tool_steps, or what it gave before.
std::optional<Words> known_or_run(const Words& words, std::span<const CleanUp> steps, const StageTools& tools) {
  if (!tools.cache) return run_tool_steps(words, steps);
  const std::string key = clean_up_key(words, steps);
  if (const auto bytes = tools.cache->load(tools.stage, key); bytes && bytes->size() % sizeof(std::uint32_t) == 0) {
    Words known(bytes->size() / sizeof(std::uint32_t));
    std::memcpy(known.data(), bytes->data(), bytes->size());
    return known;
  }
  std::optional<Words> result = run_tool_steps(words, steps);
  if (result)
    tools.cache->store(key,
                       std::string(reinterpret_cast<const char*>(result->data()), std::span(*result).size_bytes()));
  return result;
}

// The step, without SPIRV-Tools. False if that is not possible; the module is then as it was.
bool run_own_step(Module& module, CleanUp step) {
  switch (step) {
    case CleanUp::merge_returns: return merge_returns(module);
    case CleanUp::inline_functions: return inline_calls(module);
    case CleanUp::split_aggregates: return split_aggregates(module);
    case CleanUp::propagate_constants: propagate_constants(module); return true;
    case CleanUp::merge_redundancies: merge_redundancies(module); return true;
    case CleanUp::remove_dead_code: return remove_dead_code(module);
    case CleanUp::merge_blocks: return merge_blocks(module);
    case CleanUp::promote_locals: promote_locals(module); return !has_whole_load_of_local(module);
    default: return false;
  }
}

// As SPIRV-Tools does: the ids of what went are given out again.
void lower_bound(Module& module) {
  while (module.bound > 1 && !module.def(module.bound - 1)) --module.bound;
}

// What became of some steps.
struct OwnSteps {
  std::vector<CleanUp> rest;  // for SPIRV-Tools
  std::size_t done = 0;       // how many were run or are in `rest`; those behind them are to run afterwards
};

// Runs as many of the steps as need no SPIRV-Tools. Constants are never left to it.
OwnSteps run_own_steps(Module& module, std::span<const CleanUp> steps, ToolCache* cache) {
  const bool plain = is_plain(module);
  OwnSteps own;
  for (const CleanUp step : steps) {
    const bool is_own = step == CleanUp::propagate_constants;
    if (is_own && !own.rest.empty()) break;
    ++own.done;
    if (plain && !has_work(module, step, own.rest)) {
      if (cache) cache->left_out(module, step, own.rest);
    } else if (is_own || (plain && own.rest.empty())) {
      if (!run_own_step(module, step)) own.rest.push_back(step);
    } else {
      own.rest.push_back(step);
    }
  }
  if (plain) lower_bound(module);
  // SPIRV-Tools takes two loads of an input for one even if they are volatile; we do not.
  if (has_volatile_load(module)) std::erase(own.rest, CleanUp::merge_redundancies);
  return own;
}

}  // namespace

std::optional<Words> run_tool_steps(const Words& words, std::span<const CleanUp> steps) {
  spvtools::Optimizer optimizer(SPV_ENV_UNIVERSAL_1_6);
  optimizer.SetMessageConsumer([](spv_message_level_t, const char*, const spv_position_t&, const char*) {});
  for (const CleanUp step : steps) register_step(optimizer, step);
  spvtools::OptimizerOptions options;
  options.set_run_validator(false);
  options.set_preserve_bindings(true);
  options.set_preserve_spec_constants(true);
  Words result;
  if (!optimizer.Run(words.data(), words.size(), &result, options)) return std::nullopt;
  return result;
}

std::optional<Module> run_clean_up(const Module& module, std::span<const CleanUp> steps,
                                   std::span<const Id> kept_globals, const StageTools& tools) {
  Module prepared = module;
  const std::vector<Id> added = keep_alive(prepared, kept_globals);
  const OwnSteps own = run_own_steps(prepared, steps, tools.cache);
  const std::vector<CleanUp>& rest = own.rest;
  remove_dangling_annotations(prepared);  // SPIRV-Tools crashes on names and decorations of ids that do not exist
  const std::span<const CleanUp> behind = steps.subspan(own.done);
  if (rest.empty()) {
    unpin(prepared, added);
    if (!behind.empty()) return run_clean_up(prepared, behind, kept_globals, tools);
    return prepared;
  }
  if (tools.cache) tools.cache->will_run(prepared, rest);
  const std::vector<HiddenExtension> hidden = hide_extensions(prepared);
  const bool unrolls = std::find(rest.begin(), rest.end(), CleanUp::unroll_marked_loops) != rest.end();
  std::optional<DecoratedCopies> copies;
  if (unrolls) copies.emplace(prepared);
  const Words original = write_module(prepared);
  const std::optional<Words> result = known_or_run(with_known_languages(original), rest, tools);
  if (!result) return std::nullopt;
  Result<Module> read = read_module(*result, "");
  if (!read) return std::nullopt;
  if (copies) copies->restore(*read);
  unpin(*read, added);
  restore_extensions(*read, hidden);
  restore_languages(*read, source_languages(original));
  if (!behind.empty()) return run_clean_up(*read, behind, kept_globals, tools);
  return std::move(*read);
}

}  // namespace varylink::spirv
