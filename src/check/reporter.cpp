#include "check/reporter.h"

#include "check/source_place.h"

namespace varylink::check {
namespace {

std::string_view base_name(std::string_view path) {
  const std::size_t slash = path.find_last_of("/\\");
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

std::string text(const SourcePlace& place) {
  return (place.file.empty() ? std::string("line ") : std::string(base_name(place.file)) + ":") +
         std::to_string(place.line);
}

}  // namespace

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
  const SourcePlace own = subject.variable != 0 ? source_place(*subject.stage, subject.variable) : SourcePlace();
  // A line of the file that the user named goes where editors look for it; a line of a source that was compiled into
  // that file is told in words.
  const bool same_file = base_name(own.file) == base_name(diagnostic.file);
  std::string places;
  if (own.line > 0 && same_file)
    diagnostic.line = own.line;
  else if (own.line > 0)
    places = text(own);
  if (subject.other_stage && subject.other != 0) {
    const SourcePlace other = source_place(*subject.other_stage, subject.other);
    if (other.line > 0) places += (places.empty() ? "" : ", ") + text(other);
  }
  diagnostic.message = std::move(message) + (places.empty() ? "" : " (see " + places + ")");
  issues_.push_back({rule, std::move(diagnostic)});
}

}  // namespace varylink::check
