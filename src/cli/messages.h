// Diagnostics of a run: lines of text on standard error, or one JSON document (--diagnostics json).
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "check/issues_json.h"

namespace varylink::cli {

// Adds --diagnostics to a command. The choice holds for the process: it decides what the functions below do.
void declare_diagnostics(CLI::App& app);
bool diagnostics_are_json();
// The same choice before the command line is parsed, for what may be wrong with the command line itself.
void choose_diagnostics(const std::vector<std::string>& arguments);

// One line per diagnostic. In a batch every line begins with the name of its pipeline. With JSON they are kept, as
// those of that pipeline; an empty name stands for the run.
void print_diagnostics(const Diagnostics& diagnostics, const std::string& pipeline = {}, bool is_batch = false);
// The same for what `check` finds, which names the rule.
void print_issues(const check::PipelineIssues& found, bool is_batch);

// Whether the SPIR-V validator has refused something: then the reader wants to know which one judged.
bool is_of_validator(const Diagnostics& diagnostics);
void print_validator();

// Prints the error and returns the exit status for it, or `status` if that is worse.
int report_failure(const Diagnostic& error, int status = 0);

// Prints the JSON document, if that is the format: on standard output for `check`, whose result it is, else on standard
// error. The last thing that a run does.
void flush_diagnostics();

}  // namespace varylink::cli
