#include "frontend/glsl_messages.h"

#include <cctype>
#include <optional>
#include <sstream>
#include <string_view>

namespace varylink::frontend {
namespace {

struct Place {
  std::size_t file_length = 0;  // characters of the file name
  int line = 0;
  std::size_t message = 0;  // where the message starts
};

// Finds ":LINE: " in "file:LINE: message"; the file name may itself contain colons.
std::optional<Place> find_place(std::string_view text) {
  for (std::size_t colon = text.find(':'); colon != std::string_view::npos; colon = text.find(':', colon + 1)) {
    std::size_t end = colon + 1;
    int line = 0;
    while (end < text.size() && std::isdigit(static_cast<unsigned char>(text[end])) && line < 100'000'000)
      line = line * 10 + (text[end++] - '0');
    if (end > colon + 1 && text.substr(end).starts_with(": ")) return Place{colon, line, end + 2};
  }
  return std::nullopt;
}

std::string trimmed(std::string_view text) {
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back()))) text.remove_suffix(1);
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front()))) text.remove_prefix(1);
  return std::string(text);
}

bool is_tally(std::string_view text) {
  return text.find("compilation errors.") != std::string_view::npos ||
         text.find("compilation terminated") != std::string_view::npos;
}

Diagnostic make_message(Severity severity, std::string_view text, const std::string& file) {
  Diagnostic diagnostic;
  diagnostic.severity = severity;
  diagnostic.kind = severity == Severity::error ? ErrorKind::glsl : ErrorKind::none;
  diagnostic.file = file;
  if (const std::optional<Place> place = find_place(text)) {
    diagnostic.file = std::string(text.substr(0, place->file_length));
    diagnostic.line = place->line;
    text.remove_prefix(place->message);
  }
  diagnostic.message = trimmed(text);
  return diagnostic;
}

}  // namespace

Diagnostics parse_glsl_log(const std::string& log, const std::string& file) {
  constexpr std::string_view kError = "ERROR: ", kInternal = "INTERNAL ERROR: ", kWarning = "WARNING: ";
  Diagnostics diagnostics;
  std::istringstream lines(log);
  for (std::string line; std::getline(lines, line);) {
    const std::string_view text = line;
    if (is_tally(text)) continue;
    if (text.starts_with(kError))
      diagnostics.push_back(make_message(Severity::error, text.substr(kError.size()), file));
    else if (text.starts_with(kInternal))
      diagnostics.push_back(make_message(Severity::error, text.substr(kInternal.size()), file));
    else if (text.starts_with(kWarning))
      diagnostics.push_back(make_message(Severity::warning, text.substr(kWarning.size()), file));
  }
  return diagnostics;
}

}  // namespace varylink::frontend
