// Messages for a command line that cannot be parsed.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "base/diagnostic.h"

namespace varylink::cli {

// Turns `help`, `help COMMAND` into the options that print the same. Everything else stays.
std::vector<std::string> help_as_option(std::vector<std::string> arguments);

// An error (usage) if the first argument should be a command and is none; it names the nearest one.
std::optional<Diagnostic> unknown_command(const CLI::App& program, const std::vector<std::string>& arguments);

// The error in one line. It names unknown options, each with the nearest one that exists. None if `error` only stands
// for --help or --version.
std::optional<Diagnostic> parse_error(const CLI::App& program, const CLI::ParseError& error);

}  // namespace varylink::cli
