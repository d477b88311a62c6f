// The `varylink` command: finds the subcommand, parses its options, runs it, and lets no exception out.

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <exception>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <vector>

#include "base/out_of_memory.h"
#include "base/version.h"
#include "cli/command.h"
#include "cli/messages.h"
#include "cli/parse_errors.h"
#include "cli/settings/arguments.h"
#include "frontend/glsl_workers.h"
#include "platform/program.h"
#ifdef VARYLINK_HAVE_VULKAN
#include "meter/meter.h"
#include "verify/worker.h"
#endif

namespace varylink::cli {
namespace {

constexpr const char* kFooter =
    "@FILE among the arguments stands for the words in that file. `varylink help COMMAND` prints this, too.\n"
    "\n"
    "Exit status:\n"
    "  0  done\n"
    "  1  wrong use, a file cannot be read or written, or memory ran out\n"
    "  2  GLSL that does not compile\n"
    "  3  SPIR-V that is damaged or not valid\n"
    "  4  stages that do not fit together\n"
    "  5  a result failed its checks; nothing was written\n"
    "  6  verify: the linked pipeline draws something else\n"
    "  7  verify: nothing was covered, so that equality proves nothing\n"
    "  8  verify: no usable Vulkan driver\n"
    "  9  diff: what --fail-on or --budgets names was found\n"
    "With several pipelines the highest one counts.\n"
    "\n"
    "Examples:\n"
    "  varylink link a.vert b.frag -o out/\n"
    "  varylink link --manifest pipelines.jsonl -o out/ -j 8 --report report.json\n"
    "  varylink check a.vert b.frag --diagnostics json\n"
    "  varylink explain a.vert b.frag --location 4.x\n"
    "  varylink verify a.vert b.frag --against out/\n"
    "  varylink diff old.json new.json --fail-on worse";

std::string version_text() { return "varylink " + std::string(kVersion) + " (" + std::string(kGitHash) + ")"; }

void declare_commands(CLI::App& app, std::vector<std::unique_ptr<Command>>& commands) {
  for (const CommandRow& row : command_table()) {
    CLI::App* sub = app.add_subcommand(row.name, row.summary);
    sub->set_version_flag("--version", version_text());
    sub->footer(kFooter);
    commands.push_back(row.make());
    commands.back()->declare(*sub);
    declare_diagnostics(*sub);
  }
}

int run(std::vector<std::string> arguments) {
  CLI::App app("Cross-stage linker for SPIR-V: optimizes what flows between the shader stages of graphics pipelines.",
               "varylink");
  app.set_version_flag("--version", version_text());
  app.require_subcommand(1);
  app.allow_windows_style_options(false);  // "/shaders/a.vert" is a file there, too; subcommands inherit it
  app.footer(kFooter);

  std::vector<std::unique_ptr<Command>> commands;
  declare_commands(app, commands);
  arguments = help_as_option(std::move(arguments));
  choose_diagnostics(arguments);
  if (const std::optional<Diagnostic> unknown = unknown_command(app, arguments)) return report_failure(*unknown);
  std::vector<std::string> reversed(arguments.rbegin(), arguments.rend());  // CLI11 wants them so
  try {
    app.parse(reversed);
  } catch (const CLI::ParseError& error) {
    const std::optional<Diagnostic> wrong = parse_error(app, error);
    return wrong ? report_failure(*wrong) : app.exit(error);
  }
  const CLI::App* parsed = app.get_subcommands().front();
  for (std::size_t i = 0; i < commands.size(); ++i)
    if (parsed->get_name() == command_table()[i].name) return commands[i]->run();
  return exit_status(ErrorKind::usage);
}

int run_with_response_files(int count, char** values) {
  const Result<std::vector<std::string>> arguments = expand_arguments(platform::command_line(count, values));
  return arguments ? run(*arguments) : report_failure(arguments.error());
}

// What was printed may not have arrived: a full disk is an error like any other.
int flushed(int status) {
  flush_diagnostics();
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return status;
  return report_failure(make_error(ErrorKind::io, "", "cannot write to standard output"), status);
}

// Static objects take memory, too: this runs in front of them.
[[gnu::constructor(101)]] void watch_memory() { say_when_out_of_memory(); }

}  // namespace
}  // namespace varylink::cli

int main(int argc, char** argv) {
  using namespace varylink;
  if (frontend::serve_as_glsl_worker(argc, argv)) return 0;
#ifdef VARYLINK_HAVE_VULKAN
  if (verify::Worker::serve_parent(argc, argv) || measure::Meter::serve_parent(argc, argv)) return 0;
#endif
  platform::prepare_standard_streams();
  try {
    return cli::flushed(cli::run_with_response_files(argc, argv));
  } catch (const std::bad_alloc&) {
    return cli::flushed(cli::report_failure(out_of_memory()));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "varylink: internal error: %s\n", error.what());
  } catch (...) {
    std::fprintf(stderr, "varylink: internal error\n");
  }
  return exit_status(ErrorKind::verification_failed);
}
