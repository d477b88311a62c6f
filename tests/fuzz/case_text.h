// A failing pipeline as a file of tests/pipelines.
#pragma once

#include <string>

#include "fuzz/candidate.h"
#include "fuzz/pipeline_check.h"

namespace varylink::fuzz {

// The text of a case file without expectations; the case runner's bless mode adds them once the bug is fixed.
std::string case_text(const Candidate& candidate, const CheckResult& result);

}  // namespace varylink::fuzz
