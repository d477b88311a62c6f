// Messages that are said once.
#pragma once

#include <algorithm>

#include "base/diagnostic.h"

namespace varylink {

// Adds the message unless the list has it: a compiler's own list may have the error that is handed back, or not.
inline void add_unsaid(Diagnostics& said, const Diagnostic& diagnostic) {
  const bool is_said = std::any_of(said.begin(), said.end(), [&](const Diagnostic& each) {
    return each.severity == diagnostic.severity && each.kind == diagnostic.kind && each.file == diagnostic.file &&
           each.line == diagnostic.line && each.message == diagnostic.message;
  });
  if (!is_said) said.push_back(diagnostic);
}

}  // namespace varylink
