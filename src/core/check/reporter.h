// Collects issues: turns a broken rule and the variables it is about into a diagnostic with file, line and location.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "check/check.h"
#include "link/rules/interface_model.h"

namespace varylink::check {

// The subject of an issue. `variable` and `other` may be 0.
struct Subject {
  const link::StageView* stage = nullptr;  // the file of the diagnostic
  spirv::Id variable = 0;
  const link::StageView* other_stage = nullptr;
  spirv::Id other = 0;
  std::optional<varyings::Slot> slot;
};

class Reporter {
 public:
  explicit Reporter(const CheckOptions& options) : options_(options) {}

  const CheckOptions& options() const { return options_; }
  void report(Rule rule, const Subject& subject, Message message);
  // With another severity than the rule's row has.
  void report(Rule rule, Severity severity, const Subject& subject, Message message);
  void add(Rule rule, Diagnostic diagnostic) { issues_.push_back({rule, std::move(diagnostic)}); }
  std::vector<Issue> take() { return std::move(issues_); }

 private:
  const CheckOptions& options_;
  std::vector<Issue> issues_;
};

}  // namespace varylink::check
