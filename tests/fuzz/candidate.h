// A pipeline to be checked, as sources: what the generators make, what reduction shrinks, what a case file holds.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "fuzz/model.h"
#include "link/model/pipeline.h"
#include "spirv/tools/tools.h"

namespace varylink::fuzz {

struct SourceText {
  Stage stage = Stage::vertex;
  bool is_assembly = false;  // SPIR-V assembly, else GLSL
  std::string text;
  std::string entry_point;                             // empty: the only one
  spirv::TargetEnv env = spirv::TargetEnv::vulkan1_3;  // decides the SPIR-V version
  EditPlan edits;                                      // of the compiled module
};

struct Candidate {
  std::string name;
  bool exact = false;  // see PipelineModel::exact
  // Has operations that compilers are permitted to compute otherwise: whether that shows is looked for (liberties.h).
  bool has_liberties = false;
  state::PipelineState state;
  spirv::SpecializationValues specialization;  // of all stages
  std::string layout;                          // of the pipeline, as JSON; empty: nothing is said
  std::vector<SourceText> sources;
  std::vector<std::string> features;
};

Candidate candidate_of(const PipelineModel& pipeline);

// Compiles or assembles one stage, with its edits. `file` is what messages call it.
Result<std::vector<std::uint32_t>> words_of(const SourceText& source, const std::string& file);

// Compiles or assembles all stages for Vulkan 1.3, validates each module and gives specialization constants their
// values. All float arithmetic of exact candidates is marked NoContraction, but for what is called "free". Errors: what
// the compiler or the validator said.
Result<std::vector<link::StageInput>> compile(const Candidate& candidate);

}  // namespace varylink::fuzz
