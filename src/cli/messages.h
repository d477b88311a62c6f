// Diagnostics on standard error.
#pragma once

#include <string>

#include "base/diagnostic.h"

namespace varylink::cli {

// One line per diagnostic, each behind `prefix`.
void print_diagnostics(const Diagnostics& diagnostics, const std::string& prefix = {});

// Whether the SPIR-V validator has refused something: then the reader wants to know which one judged.
bool is_of_validator(const Diagnostics& diagnostics);
void print_validator();

// Prints the error and returns the exit status for it, or `status` if that is worse.
int report_failure(const Diagnostic& error, int status = 0);

}  // namespace varylink::cli
