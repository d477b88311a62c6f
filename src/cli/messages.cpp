#include "cli/messages.h"

#include <algorithm>
#include <cstdio>

#include "spirv/tools/tools.h"

namespace varylink::cli {

void print_diagnostics(const Diagnostics& diagnostics, const std::string& prefix) {
  for (const Diagnostic& diagnostic : diagnostics)
    std::fprintf(stderr, "%s%s\n", prefix.c_str(), render(diagnostic).c_str());
}

bool is_of_validator(const Diagnostics& diagnostics) {
  return std::any_of(diagnostics.begin(), diagnostics.end(), spirv::is_of_validator);
}

void print_validator() {
  std::fprintf(stderr, "note: judged by the SPIR-V validator of %s\n", spirv::validator_name().c_str());
}

int report_failure(const Diagnostic& error, int status) {
  print_diagnostics({error});
  return std::max(status, exit_status(error.kind));
}

}  // namespace varylink::cli
