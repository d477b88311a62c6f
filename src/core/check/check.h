// `varylink check`: all rules about the interfaces of a pipeline that need no device.
#pragma once

#include <vector>

#include "check/limits.h"
#include "check/rule.h"
#include "link/model/pipeline.h"
#include "link/rules/interface_model.h"

namespace varylink::check {

struct CheckOptions {
  spirv::ValidatorOptions validator;
  bool maintenance4 = false;      // the application enables the feature: an input vector may be the shorter one
  bool pipeline_library = false;  // the stages are linked from graphics pipeline libraries without
                                  // graphicsPipelineLibraryIndependentInterpolationDecoration
  bool strict = false;            // the letter of the specification, also where the validation layer lets it pass
  Limits limits;
};

// A broken rule. The diagnostic's kind is invalid_spirv for a module that is not valid, interface_mismatch for all
// other errors, none for warnings and notes.
struct Issue {
  Rule rule = Rule::invalid_module;
  Diagnostic diagnostic;
};

// Checks one pipeline; the stages need not be complete. Issues come in the order of the stages: first those of the
// stage alone, then those with the stage before. An invalid module is reported, and the rest is checked without it.
// Thread safe.
std::vector<Issue> check_pipeline(const link::PipelineInput& pipeline, const CheckOptions& options);

// Likewise the device limits alone, of modules that are known to be valid.
std::vector<Issue> exceeded_limits(const std::vector<link::StageInput>& stages, const CheckOptions& options);

// Rules that modules known to be valid break, alone and together: the errors of check_pipeline without device limits
// and without those of the pair check (link/rules/pair_check.h). Files in diagnostics have no names yet
// (name_files). `stages` are those of one pipeline in pipeline order.
std::vector<Issue> broken_rules_of(const link::StageView& stage);
std::vector<Issue> broken_rules_among(const std::vector<link::StageView>& stages);

// The worst kind among the issues, for the exit status: invalid_spirv, interface_mismatch or none.
ErrorKind worst_kind(const std::vector<Issue>& issues);

}  // namespace varylink::check
