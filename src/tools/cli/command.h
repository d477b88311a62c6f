// The subcommands of `varylink`. A new one is a file of its own with a class and a make function, a declaration below,
// and a row in command.cpp.
#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <span>
#include <string_view>

namespace varylink::cli {

class Command {
 public:
  virtual ~Command() = default;

  // Adds the options of the command. They may be bound to members of this object, which outlives the parsing.
  virtual void declare(CLI::App& app) = 0;

  // Does the work after the options are parsed. Returns the exit status (see base/diagnostic.h, exit_status).
  virtual int run() = 0;
};

struct CommandRow {
  const char* name;
  const char* summary;
  std::unique_ptr<Command> (*make)();
};

std::span<const CommandRow> command_table();

std::unique_ptr<Command> make_link_command();
std::unique_ptr<Command> make_verify_command();
std::unique_ptr<Command> make_prove_command();
std::unique_ptr<Command> make_measure_command();
std::unique_ptr<Command> make_check_command();
std::unique_ptr<Command> make_merge_reports_command();
std::unique_ptr<Command> make_explain_command();
std::unique_ptr<Command> make_diff_command();
std::unique_ptr<Command> make_run_command();
std::unique_ptr<Command> make_import_command();
std::unique_ptr<Command> make_replace_command();
std::unique_ptr<Command> make_generate_command();
std::unique_ptr<Command> make_analyze_command();

}  // namespace varylink::cli
