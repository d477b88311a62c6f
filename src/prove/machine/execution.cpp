#include "prove/machine/execution.h"

#include <algorithm>

#include "prove/machine/machine.h"

namespace varylink::prove {

std::string text_of(const Place& place) {
  if (place.built_in) return "built-in " + std::to_string(place.number) + "[" + std::to_string(place.component) + "]";
  std::string text = std::to_string(place.number) + "." + "xyzw"[place.component & 3];
  if (place.index != 0) text += " index " + std::to_string(place.index);
  return text;
}

Machine::Machine(Terms& terms, const spirv::Module& module, const spirv::EntryPoint& entry, Stage stage,
                 Semantics semantics, InputSource& inputs)
    : terms_(terms),
      module_(module),
      entry_(entry),
      stage_(stage),
      semantics_(semantics),
      inputs_(inputs),
      facts_(module),
      values_(module.bound),
      known_(module.bound, false) {}

StageEffects Machine::run() {
  StageEffects effects;
  effects.stage = stage_;
  for (const spirv::InstRef ref : module_.execution_modes) {
    const auto operands = module_.operands(ref);
    if (operands[0].word != entry_.function) continue;
    const auto mode = static_cast<spv::ExecutionMode>(operands[1].word);
    if (mode == spv::ExecutionMode::SignedZeroInfNanPreserve) exact_widths_.insert(operands[2].word);
    if (mode == spv::ExecutionMode::RoundingModeRTZ) exact_mark_ = "! towards zero";
    captures_ = captures_ || mode == spv::ExecutionMode::Xfb;
    if (mode == spv::ExecutionMode::OutputVertices) patch_vertices_ = operands[2].word;
    std::vector<std::uint32_t> words;
    for (const spirv::Operand& operand : operands.subspan(1)) words.push_back(operand.word);
    effects.modes.push_back(std::move(words));
  }
  std::ranges::sort(effects.modes);
  if (stage_ == Stage::tess_control && patch_vertices_ == 0)
    throw NotUnderstood{"a tessellation control stage without a number of vertices"};
  declare_variables();
  const spirv::Function* function = module_.function(entry_.function);
  if (function == nullptr) throw NotUnderstood{"an entry point without a function"};
  effects.discarded = terms_.boolean(false);
  std::vector<Path> returns, kills;
  for (Exit& exit : call(*function, terms_.boolean(true), state_))
    (exit.target == kReturn ? returns : kills).push_back(std::move(exit.path));
  for (const Path& path : kills) effects.discarded = terms_.logical_or(effects.discarded, path.condition);
  std::vector<Path> all = returns;
  for (Path& path : kills) {
    path.phis.clear();
    all.push_back(std::move(path));
  }
  if (all.empty()) throw NotUnderstood{"an entry point that never ends"};
  const State last = merge(all).state;
  effects.memory = last.leaves[kMemoryLeaf];
  effects.primitives = last.leaves[kPrimitivesLeaf];
  if (returns.empty()) returns.push_back(all[0]);
  State end = merge(std::move(returns)).state;
  effects.discarded = terms_.logical_or(effects.discarded, end.leaves[kDemotedLeaf]);
  for (const std::uint32_t leaf : patch_leaves()) end.leaves[leaf] = of_whole_patch(end.leaves[leaf]);
  effects.outputs = outputs_now(end);
  effects.accesses = std::move(accesses_);
  effects.records = stage_ == Stage::mesh;
  if (payload_ != 0)
    for (std::uint32_t part = 0; part < parts_of(held_type(payload_)); ++part)
      effects.payload.push_back(end.leaves[slots_.at(payload_) + part]);
  effects.captured = captured_now(end);
  if (stage_ == Stage::geometry) gather_emitted(effects);
  return effects;
}

StageEffects execute(Terms& terms, const spirv::Module& module, const spirv::EntryPoint& entry, Stage stage,
                     Semantics semantics, InputSource& inputs) {
  return Machine(terms, module, entry, stage, semantics, inputs).run();
}

}  // namespace varylink::prove
