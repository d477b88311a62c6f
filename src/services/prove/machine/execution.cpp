#include "prove/machine/execution.h"

#include <algorithm>

#include "prove/machine/machine.h"

namespace varylink::prove {
namespace {

constexpr std::uint32_t kMostPatchVertices = 256;  // devices have 32

}  // namespace

std::string text_of(const Place& place) {
  std::string text = place.built_in ? std::string(kBuiltIn) + std::to_string(place.number) + "[" +
                                          std::to_string(place.component) + "]"
                                    : std::to_string(place.number) + "." + "xyzw"[place.component & 3];
  if (place.index != 0) text += " index " + std::to_string(place.index);
  if (place.rate != Rate::vertex) text += place.rate == Rate::patch ? " of the patch" : " of the primitive";
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

// What modes mean for the operations of the stage. Denormals and rounding count for those that must be exact.
void Machine::read_modes() {
  for (const spirv::InstRef ref : module_.execution_modes) {
    const auto operands = module_.operands(ref);
    if (operands[0].word != entry_.function) continue;
    switch (static_cast<spv::ExecutionMode>(operands[1].word)) {
      case spv::ExecutionMode::SignedZeroInfNanPreserve: exact_widths_.insert(operands[2].word); break;
      case spv::ExecutionMode::RoundingModeRTZ: exact_marks_[operands[2].word] += " towards zero"; break;
      case spv::ExecutionMode::DenormPreserve: exact_marks_[operands[2].word] += " with denormals"; break;
      case spv::ExecutionMode::DenormFlushToZero: exact_marks_[operands[2].word] += " without denormals"; break;
      case spv::ExecutionMode::Xfb: captures_ = true; break;
      case spv::ExecutionMode::OutputPoints: makes_points_ = stage_ == Stage::geometry; break;
      case spv::ExecutionMode::PointMode: makes_points_ = stage_ == Stage::tess_eval; break;
      case spv::ExecutionMode::OutputVertices: patch_vertices_ = operands[2].word; break;
      default: break;
    }
  }
}

// A term that equals that of the same memory model, modes and size of workgroups only.
Term Machine::modes_term() {
  std::vector<Term> parts;
  const auto add = [&](const char* name, std::span<const spirv::Operand> operands) {
    std::vector<std::uint64_t> literals;
    std::vector<Term> values;
    for (const spirv::Operand& operand : operands) {
      if (!operand.is_id) {
        literals.push_back(operand.word);
        continue;
      }
      const Value given = value(operand.word);
      values.insert(values.end(), given.leaves.begin(), given.leaves.end());
    }
    parts.push_back(terms_.apply(Sort::handle, name, values, literals));
  };
  for (const spirv::InstRef ref : module_.memory_model) add("memory model", module_.operands(ref));
  for (const spirv::InstRef ref : module_.execution_modes)
    if (module_.operand(ref, 0).word == entry_.function) add("execution mode", module_.operands(ref).subspan(1));
  for (const spirv::InstRef ref : module_.annotations) {
    const auto operands = module_.operands(ref);
    if (module_[ref].op == spv::Op::OpDecorate && operands.size() == 3 &&
        operands[1].word == static_cast<std::uint32_t>(spv::Decoration::BuiltIn) &&
        operands[2].word == static_cast<std::uint32_t>(spv::BuiltIn::WorkgroupSize))
      add("size of workgroups", operands.first(1));
  }
  std::ranges::sort(parts);
  return terms_.apply(Sort::handle, "execution modes", parts);
}

StageEffects Machine::run() {
  StageEffects effects;
  effects.stage = stage_;
  read_modes();
  effects.modes = modes_term();
  effects.makes_points = makes_points_;
  if (stage_ == Stage::tess_control && (patch_vertices_ == 0 || patch_vertices_ > kMostPatchVertices))
    throw Unsupported{"a tessellation control stage without a number of vertices that a device has"};
  declare_variables();
  const spirv::Function* function = module_.function(entry_.function);
  if (function == nullptr) throw Unsupported{"an entry point without a function"};
  effects.discarded = terms_.boolean(false);
  std::vector<Path> returns, kills;
  for (Exit& exit : call(*function, terms_.boolean(true), state_))
    (exit.target == kReturn ? returns : kills).push_back(std::move(exit.path));
  for (const Path& path : kills) effects.discarded = terms_.logical_or(effects.discarded, path.condition);
  std::vector<Path> all = returns;
  terms_.spend_steps(all.size() * state_.leaves.size() / 8);
  for (Path& path : kills) {
    path.phis.clear();
    all.push_back(std::move(path));
  }
  if (all.empty()) throw Unsupported{"an entry point that never ends"};
  const State last = merge(all).state;
  effects.memory = last.leaves[kMemoryLeaf];
  effects.primitives = last.leaves[kPrimitivesLeaf];
  if (returns.empty()) returns.push_back(all[0]);
  State end = merge(std::move(returns)).state;
  effects.discarded = terms_.logical_or(effects.discarded, end.leaves[kDemotedLeaf]);
  note_owners(end);
  condition_ = terms_.boolean(true);
  note_stores_behind_reads(end);
  effects.shared_vectors = shared_vectors(end);
  for (const std::uint32_t leaf : patch_leaves()) end.leaves[leaf] = of_whole_patch(end.leaves[leaf]);
  effects.outputs = outputs_now(end);
  effects.accesses = std::move(accesses_);
  effects.read_ends = std::move(read_ends_);
  effects.certain_ends = std::move(certain_ends_);
  effects.quad_conditions = std::move(quad_conditions_);
  effects.records = stage_ == Stage::mesh;
  effects.is_row = is_row();
  if (const Id payload = payload_.value_or(0); payload != 0)
    for (std::uint32_t part = 0; part < parts_of(held_type(payload)); ++part)
      effects.payload.push_back(end.leaves[slot_of(payload) + part]);
  effects.captured = captured_now(end);
  if (stage_ == Stage::geometry) gather_emitted(effects);
  return effects;
}

StageEffects execute(Terms& terms, const spirv::Module& module, const spirv::EntryPoint& entry, Stage stage,
                     Semantics semantics, InputSource& inputs) {
  return Machine(terms, module, entry, stage, semantics, inputs).run();
}

}  // namespace varylink::prove
