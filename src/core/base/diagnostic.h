// Errors, warnings and notes, with the facts a user needs: file, stage, location, rule.
//
// A Diagnostic is a value. Nothing in the library prints; the command line and the reports render diagnostics.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/message.h"

namespace varylink {

enum class Severity { error, warning, note };

// The kind of an error. It decides the exit status of the command (exit_status).
enum class ErrorKind {
  none,                 // warnings and notes
  usage,                // the command line or the manifest asks for something impossible
  io,                   // a file cannot be read or written
  glsl,                 // GLSL that does not compile
  invalid_spirv,        // a module that is not SPIR-V, or that the SPIR-V validator refuses
  interface_mismatch,   // two stages do not fit together
  verification_failed,  // our own result failed its checks: nothing is written
  interrupted,          // the program that links asked for an end
};

// A line of a source, as debug info has it.
struct SourcePlace {
  std::string file;
  int line = 0;  // 1-based, 0 if nothing is known
};

struct Diagnostic {
  Severity severity = Severity::error;
  ErrorKind kind = ErrorKind::none;
  std::string file;      // as the user named it; empty if no file is concerned, and while `module` says which
  int line = 0;          // 1-based source line, 0 if not known
  std::string location;  // varying location such as "3.w", empty if none
  std::string message;   // one sentence, lower case, no full stop
  std::string vuid;      // Vulkan valid-usage id without brackets, empty if none

  // Known until the files get their names (name_files); empty afterwards.
  std::optional<std::size_t> module = {};  // the module concerned
  FileMentions mentions = {};              // of modules in the message
  SourcePlace place = {};                  // of the subject
  SourcePlace other_place = {};            // of its counterpart
};

// Replaces modules, given by position in their group, by file names. A place in the file itself becomes its line; a
// place in a source that was compiled into the file is appended to the message.
void name_files(Diagnostic& diagnostic, const std::vector<std::string>& names = {});

// "lit.frag: error: location 3.w is read but never written by lit.vert [VUID-...]" without a line break.
std::string render(const Diagnostic& diagnostic);

// Exit status of the command for an error of this kind: 0 for none, else 1 to 5 as `varylink --help` documents.
int exit_status(ErrorKind kind);

std::string_view name_of(Severity severity);

// An error of `kind` about `file`.
Diagnostic make_error(ErrorKind kind, FileRef file, Message message, std::string vuid = {});

// A warning about `file`. Warnings never change what is written.
Diagnostic make_warning(FileRef file, Message message, std::string vuid = {});

using Diagnostics = std::vector<Diagnostic>;

}  // namespace varylink
