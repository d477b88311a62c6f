// The issues of pipelines as JSON; docs/check.md describes it.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "check/check.h"

namespace varylink::check {

// Findings in one pipeline: messages of the front end while it read the stages, then the broken rules.
struct PipelineIssues {
  std::string name;
  Diagnostics reading;
  std::vector<Issue> issues;
};

// Name in JSON in place of a rule for messages of the front end or the linker.
const char* reading_rule(const Diagnostic& diagnostic);

// One JSON object with a final line break. `of_run` are messages that concern no pipeline, such as a command line that
// makes no sense. Bytes that are not UTF-8 become U+FFFD.
std::string issues_json(std::span<const PipelineIssues> pipelines, const Diagnostics& of_run = {});

}  // namespace varylink::check
