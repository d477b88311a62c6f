#include "fuzz/candidate.h"

#include <algorithm>
#include <utility>

#include "frontend/glsl.h"
#include "fuzz/assembly.h"
#include "fuzz/pipeline_facts.h"
#include "spirv/ir/literal_text.h"
#include "spirv/tools/binary.h"
#include "spirv/tools/tools.h"

namespace varylink::fuzz {
namespace {

bool is_float_arithmetic(spv::Op op) {
  switch (op) {
    case spv::Op::OpFAdd:
    case spv::Op::OpFSub:
    case spv::Op::OpFMul:
    case spv::Op::OpFDiv:
    case spv::Op::OpFRem:
    case spv::Op::OpFMod:
    case spv::Op::OpFNegate:
    case spv::Op::OpDot:
    case spv::Op::OpVectorTimesScalar:
    case spv::Op::OpVectorTimesMatrix:
    case spv::Op::OpMatrixTimesScalar:
    case spv::Op::OpMatrixTimesVector:
    case spv::Op::OpMatrixTimesMatrix: return true;
    default: return false;
  }
}

// Drivers re-associate float arithmetic that is not marked NoContraction, and do so differently once an operand has
// become a constant. Where bits are compared that would drown what the linker did.
Result<std::vector<std::uint32_t>> without_contraction(const std::vector<std::uint32_t>& words,
                                                       const std::string& file) {
  Result<spirv::Module> module = spirv::read_module(words, file);
  if (!module) return module.error();
  std::vector<spirv::Id> marked;
  for (const spirv::InstRef inst : module->annotations) {
    const bool no_contraction =
        (*module)[inst].op == spv::Op::OpDecorate &&
        module->operand(inst, 1).word == static_cast<std::uint32_t>(spv::Decoration::NoContraction);
    if (no_contraction) marked.push_back(module->operand(inst, 0).word);
  }
  for (const spirv::InstRef inst : module->debug_names)
    if ((*module)[inst].op == spv::Op::OpName && spirv::is_text(module->operands(inst).subspan(1), kFreeResult))
      marked.push_back(module->operand(inst, 0).word);
  for (const spirv::Function& function : module->functions) {
    for (const spirv::Block& block : function.blocks) {
      for (const spirv::InstRef inst : block.body) {
        const spirv::Id result = (*module)[inst].result;
        if (!is_float_arithmetic((*module)[inst].op)) continue;
        if (std::find(marked.begin(), marked.end(), result) != marked.end()) continue;
        const std::uint32_t decoration = static_cast<std::uint32_t>(spv::Decoration::NoContraction);
        module->annotations.push_back(
            module->create(spv::Op::OpDecorate, 0, 0, {spirv::id(result), spirv::lit(decoration)}));
      }
    }
  }
  return spirv::write_module(*module);
}

// glslang forgets the capability where an integer of 8 or 16 bits is only the result of unpacking.
void declare_narrow_integers(spirv::Module& module) {
  for (std::size_t i = 0; i < module.types.size(); ++i) {
    if (module[module.types[i]].op != spv::Op::OpTypeInt) continue;
    const std::uint32_t width = module.operand(module.types[i], 0).word;
    if (width > 16) continue;
    const spv::Capability capability = width == 8 ? spv::Capability::Int8 : spv::Capability::Int16;
    if (module.has_capability(capability)) continue;
    module.capabilities.push_back(
        module.create(spv::Op::OpCapability, 0, 0, {spirv::lit(static_cast<std::uint32_t>(capability))}));
  }
}

Result<void> give_values(link::StageInput& stage, const spirv::SpecializationValues& values) {
  if (values.empty()) return {};
  Result<spirv::SpecializedWords> given = spirv::specialize(stage.words, values, stage.file);
  if (!given) return given.error();
  if (given->values.empty()) return {};
  stage.unspecialized = std::exchange(stage.words, std::move(given->words));
  stage.specialization = std::move(given->values);
  return {};
}

}  // namespace

Result<std::vector<std::uint32_t>> words_of(const SourceText& source, const std::string& file) {
  if (source.is_assembly) return spirv::assemble(source.text, source.env, file);
  frontend::CompileOptions options;
  options.env = source.env;
  Result<frontend::CompiledGlsl> compiled =
      frontend::compile_glsl({source.text, file, source.stage, ""}, options, nullptr);
  if (!compiled) return compiled.error();
  declare_narrow_integers(compiled->module);
  apply_edits(compiled->module, source.stage, source.edits);
  return spirv::write_module(compiled->module);
}

Candidate candidate_of(const PipelineModel& pipeline) {
  Candidate candidate;
  candidate.name = "seed " + std::to_string(pipeline.seed);
  candidate.exact = pipeline.exact;
  candidate.state = pipeline.state;
  candidate.specialization = pipeline.specialization;
  if (pipeline.shares_buffers) candidate.layout = layout_for_all_stages();
  candidate.features = pipeline.features;
  for (const StageModel& stage : pipeline.stages)
    candidate.sources.push_back({stage.stage, false, print(stage), {}, pipeline.env, pipeline.edits});
  return candidate;
}

Result<std::vector<link::StageInput>> compile(const Candidate& candidate) {
  std::vector<link::StageInput> stages;
  for (const SourceText& source : candidate.sources) {
    const std::string file = candidate.name + "." + std::string(short_name(source.stage));
    Result<std::vector<std::uint32_t>> words = words_of(source, file);
    if (words && candidate.exact) words = without_contraction(*words, file);
    if (!words) return words.error();
    if (const auto valid = spirv::validate(*words, {}, file); !valid) return valid.error();
    stages.push_back({source.stage, file, std::move(*words), source.entry_point});
    if (const auto given = give_values(stages.back(), candidate.specialization); !given) return given.error();
  }
  return stages;
}

}  // namespace varylink::fuzz
