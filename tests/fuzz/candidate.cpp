#include "fuzz/candidate.h"

#include <algorithm>

#include "frontend/glsl.h"
#include "spirv/tools/binary.h"
#include "spirv/tools/tools.h"

namespace varylink::fuzz {
namespace {

Result<std::vector<std::uint32_t>> words_of(const SourceText& source, const std::string& file) {
  if (source.is_assembly) return spirv::assemble(source.text, source.env, file);
  Result<frontend::CompiledGlsl> compiled = frontend::compile_glsl(source.text, file, source.stage, "", {}, nullptr);
  if (!compiled) return compiled.error();
  return spirv::write_module(compiled->module);
}

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

}  // namespace

Candidate candidate_of(const PipelineModel& pipeline) {
  Candidate candidate;
  candidate.name = "seed " + std::to_string(pipeline.seed);
  candidate.exact = pipeline.exact;
  candidate.state.shared_spec_constants = pipeline.shared_spec_constants;
  candidate.features = pipeline.features;
  for (const StageModel& stage : pipeline.stages)
    candidate.sources.push_back({stage.stage, false, print(stage), {}, spirv::TargetEnv::vulkan1_3});
  return candidate;
}

Result<std::vector<link::StageInput>> compile(const Candidate& candidate) {
  std::vector<link::StageInput> stages;
  for (const SourceText& source : candidate.sources) {
    const std::string file = candidate.name + "." + std::string(short_name(source.stage));
    Result<std::vector<std::uint32_t>> words = words_of(source, file);
    if (words && candidate.exact) words = without_contraction(*words, file);
    if (!words) return words.error();
    if (const Result<void> valid = spirv::validate(*words, {}, file); !valid) return valid.error();
    stages.push_back({source.stage, file, std::move(*words), source.entry_point});
  }
  return stages;
}

}  // namespace varylink::fuzz
