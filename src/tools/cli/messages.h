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
// Makes the same choice before the command line is parsed, for errors of the command line itself.
void choose_diagnostics(const std::vector<std::string>& arguments);

// Prints one line per diagnostic, in a batch with the pipeline's name in front. With JSON they are collected under that
// pipeline; an empty name stands for the run.
void print_diagnostics(const Diagnostics& diagnostics, const std::string& pipeline = {}, bool is_batch = false);
// The same for issues of `check`, which name the rule.
void print_issues(const check::PipelineIssues& found, bool is_batch);

// Whether the SPIR-V validator refused a module: the reader then wants to know its version.
bool is_of_validator(const Diagnostics& diagnostics);
void print_validator();

// Prints the error and returns the exit status for it, or `status` if that is worse.
int report_failure(const Diagnostic& error, int status = 0);

// Prints the JSON document, if that is the format: on standard output for `check`, whose result it is, else on standard
// error. The last thing that a run does.
void flush_diagnostics();

}  // namespace varylink::cli
