#include "cli/messages.h"

#include <algorithm>
#include <cstdio>

namespace varylink::cli {

void print_diagnostics(const Diagnostics& diagnostics, const std::string& prefix) {
  for (const Diagnostic& diagnostic : diagnostics)
    std::fprintf(stderr, "%s%s\n", prefix.c_str(), render(diagnostic).c_str());
}

int report_failure(const Diagnostic& error, int status) {
  print_diagnostics({error});
  return std::max(status, exit_status(error.kind));
}

}  // namespace varylink::cli
