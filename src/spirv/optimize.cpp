#include "spirv/optimize.h"

#include <algorithm>
#include <spirv-tools/optimizer.hpp>

#include "spirv/binary.h"
#include "spirv/globals.h"
#include "spirv/simplify.h"
#include "spirv/tool_words.h"

namespace varylink::spirv {
namespace {

void register_step(spvtools::Optimizer& optimizer, CleanUp step) {
  using namespace spvtools;
  const auto add = [&](Optimizer::PassToken&& token) { optimizer.RegisterPass(std::move(token)); };
  switch (step) {
    case CleanUp::merge_returns: return add(CreateMergeReturnPass());
    case CleanUp::inline_functions: add(CreateInlineExhaustivePass()); return add(CreateEliminateDeadFunctionsPass());
    case CleanUp::private_to_local: return add(CreatePrivateToLocalPass());
    case CleanUp::split_aggregates: return add(CreateScalarReplacementPass(0));
    case CleanUp::promote_locals:
      add(CreateLocalAccessChainConvertPass());
      add(CreateLocalSingleBlockLoadStoreElimPass());
      add(CreateLocalSingleStoreElimPass());
      return add(CreateSSARewritePass());
    case CleanUp::unroll_marked_loops: return add(CreateLoopUnrollPass(true));
    case CleanUp::propagate_constants: return add(CreateCCPPass());
    case CleanUp::remove_dead_branches: return add(CreateDeadBranchElimPass());
    case CleanUp::merge_blocks: return add(CreateBlockMergePass());
    case CleanUp::merge_redundancies: return add(CreateRedundancyEliminationPass());
    case CleanUp::remove_dead_code: return add(CreateAggressiveDCEPass(true));
    case CleanUp::compact_ids: return add(CreateCompactIdsPass());
  }
}

// SPIRV-Tools keeps what an entry point lists. Listing a global for the time of the run is the public way to say that
// its declaration has an outside reader; modules before SPIR-V 1.4 may not list it for good.
std::vector<Id> pin(Module& module, std::span<const Id> pinned) {
  std::vector<Id> added;
  const std::vector<EntryPoint> entries = module.entries();
  if (entries.empty()) return added;
  const std::vector<Id>& listed = entries.front().interface;
  for (const Id target : pinned) {
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

}  // namespace

std::optional<Module> run_clean_up(const Module& module, std::span<const CleanUp> steps, std::span<const Id> pinned) {
  Module prepared = module;
  remove_dangling_annotations(prepared);  // SPIRV-Tools crashes on names and decorations of ids that do not exist
  const std::vector<Id> added = pin(prepared, pinned);
  const std::vector<HiddenExtension> hidden = hide_extensions(prepared);
  spvtools::Optimizer optimizer(SPV_ENV_UNIVERSAL_1_6);
  optimizer.SetMessageConsumer([](spv_message_level_t, const char*, const spv_position_t&, const char*) {});
  for (const CleanUp step : steps) register_step(optimizer, step);
  spvtools::OptimizerOptions options;
  options.set_run_validator(false);
  options.set_preserve_bindings(true);
  options.set_preserve_spec_constants(true);
  const std::vector<std::uint32_t> original = write_module(prepared);
  const std::vector<std::uint32_t> words = with_known_languages(original);
  std::vector<std::uint32_t> result;
  if (!optimizer.Run(words.data(), words.size(), &result, options)) return std::nullopt;
  Result<Module> read = read_module(result, "");
  if (!read) return std::nullopt;
  unpin(*read, added);
  restore_extensions(*read, hidden);
  restore_languages(*read, source_languages(original));
  return std::move(*read);
}

}  // namespace varylink::spirv
