#include "check/reporter.h"

#include "link/rules/source_place.h"

namespace varylink::check {
void Reporter::report(Rule rule, const Subject& subject, Message message) {
  report(rule, severity_of(rule, options_.strict), subject, std::move(message));
}

void Reporter::report(Rule rule, Severity severity, const Subject& subject, Message message) {
  Diagnostic diagnostic = make_error(severity == Severity::error ? ErrorKind::interface_mismatch : ErrorKind::none,
                                     subject.stage->file, std::move(message), std::string(row_of(rule).vuid));
  diagnostic.severity = severity;
  if (subject.slot) diagnostic.location = varyings::text(*subject.slot);
  link::add_places(diagnostic, {subject.stage, subject.variable}, {subject.other_stage, subject.other});
  issues_.push_back({rule, std::move(diagnostic)});
}

}  // namespace varylink::check
