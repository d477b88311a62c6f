#include "base/diagnostic.h"

namespace varylink {

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
    case ErrorKind::io: return 1;
    case ErrorKind::glsl: return 2;
    case ErrorKind::invalid_spirv: return 3;
    case ErrorKind::interface_mismatch: return 4;
    case ErrorKind::verification_failed: return 5;
  }
  return 1;
}

Diagnostic make_error(ErrorKind kind, std::string file, std::string message, std::string vuid) {
  Diagnostic diagnostic;
  diagnostic.kind = kind;
  diagnostic.file = std::move(file);
  diagnostic.message = std::move(message);
  diagnostic.vuid = std::move(vuid);
  return diagnostic;
}

Diagnostic make_warning(std::string file, std::string message, std::string vuid) {
  Diagnostic diagnostic = make_error(ErrorKind::none, std::move(file), std::move(message), std::move(vuid));
  diagnostic.severity = Severity::warning;
  return diagnostic;
}

}  // namespace varylink
