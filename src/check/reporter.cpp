#include "check/reporter.h"

#include "link/conformance/source_place.h"

namespace varylink::check {
void Reporter::report(Rule rule, const Subject& subject, std::string message) {
  report(rule, severity_of(rule, options_.strict), subject, std::move(message));
}

void Reporter::report(Rule rule, Severity severity, const Subject& subject, std::string message) {
  Diagnostic diagnostic;
  diagnostic.severity = severity;
  diagnostic.kind = severity == Severity::error ? ErrorKind::interface_mismatch : ErrorKind::none;
  diagnostic.file = subject.stage->file;
  diagnostic.vuid = row_of(rule).vuid;
  if (subject.slot) diagnostic.location = varyings::text(*subject.slot);
  diagnostic.message = std::move(message);
  link::add_places(diagnostic, {subject.stage, subject.variable}, {subject.other_stage, subject.other});
  issues_.push_back({rule, std::move(diagnostic)});
}

}  // namespace varylink::check
