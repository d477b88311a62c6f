#include "base/diagnostic.h"

#include <utility>

namespace varylink {
namespace {

std::string_view base_name(std::string_view path) {
  const std::size_t slash = path.find_last_of("/\\");
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

std::string text(const SourcePlace& place) {
  return (place.file.empty() ? std::string("line ") : std::string(base_name(place.file)) + ":") +
         std::to_string(place.line);
}

void put_places(Diagnostic& diagnostic) {
  const SourcePlace own = std::exchange(diagnostic.place, {});
  const SourcePlace other = std::exchange(diagnostic.other_place, {});
  std::string places;
  if (own.line > 0) {
    if (base_name(own.file) == base_name(diagnostic.file))
      diagnostic.line = own.line;
    else
      places = text(own);
  }
  if (other.line > 0) places += (places.empty() ? "" : ", ") + text(other);
  if (!places.empty()) diagnostic.message += " (see " + places + ")";
}

}  // namespace

void name_files(Diagnostic& diagnostic, const std::vector<std::string>& names) {
  if (diagnostic.module && *diagnostic.module < names.size()) diagnostic.file = names[*diagnostic.module];
  diagnostic.module.reset();
  name_files(diagnostic.message, diagnostic.mentions, names);
  put_places(diagnostic);
}

std::string_view name_of(Severity severity) {
  switch (severity) {
    case Severity::error: return "error";
    case Severity::warning: return "warning";
    case Severity::note: return "note";
  }
  return "error";
}

std::string render(const Diagnostic& diagnostic) {
  std::string text = diagnostic.file.empty() ? std::string("varylink") : diagnostic.file;
  if (diagnostic.line > 0) text += ":" + std::to_string(diagnostic.line);
  text += ": ";
  text += name_of(diagnostic.severity);
  text += ": " + diagnostic.message;
  if (!diagnostic.vuid.empty()) text += " [" + diagnostic.vuid + "]";
  return text;
}

int exit_status(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::none: return 0;
    case ErrorKind::usage:
    case ErrorKind::io:
    case ErrorKind::interrupted: return 1;
    case ErrorKind::glsl: return 2;
    case ErrorKind::invalid_spirv: return 3;
    case ErrorKind::interface_mismatch: return 4;
    case ErrorKind::verification_failed: return 5;
  }
  return 1;
}

Diagnostic make_error(ErrorKind kind, FileRef file, Message message, std::string vuid) {
  Diagnostic diagnostic;
  diagnostic.kind = kind;
  diagnostic.file = file.name();
  diagnostic.module = file.module();
  diagnostic.message = std::move(message.text);
  diagnostic.mentions = std::move(message.mentions);
  diagnostic.vuid = std::move(vuid);
  return diagnostic;
}

Diagnostic make_warning(FileRef file, Message message, std::string vuid) {
  Diagnostic diagnostic = make_error(ErrorKind::none, std::move(file), std::move(message), std::move(vuid));
  diagnostic.severity = Severity::warning;
  return diagnostic;
}

}  // namespace varylink
