#include "cli/parse_errors.h"

#include <algorithm>

#include "base/nearest.h"
#include "cli/option_table.h"
#include "cli/settings/usage.h"

namespace varylink::cli {
namespace {

std::vector<std::string> command_names(const CLI::App& program) {
  std::vector<std::string> names;
  for (const CLI::App* command : program.get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(command->get_name());
  return names;
}

const CLI::App* parsed_command(const CLI::App& program) {
  const std::vector<CLI::App*> commands = program.get_subcommands();
  return commands.empty() ? nullptr : commands.front();
}

std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const OptionFacts& option : options_of(app)) names.insert(names.end(), option.names.begin(), option.names.end());
  return names;
}

// `argument` is what was left over, such as "--reprot" or "--reprot=x".
Diagnostic unknown_option(const CLI::App& program, const std::string& argument) {
  const std::vector<std::string> of_program = program.remaining(false);
  const bool is_before = std::find(of_program.begin(), of_program.end(), argument) != of_program.end();
  const CLI::App* command = is_before ? nullptr : parsed_command(program);
  const std::string name = argument.substr(0, argument.find('='));
  const std::string who = command ? command->get_name() : program.get_name();
  if (!name.starts_with("-")) return usage(who + " takes no argument '" + argument + "'");
  const std::string hint = did_you_mean(name, option_names(command ? *command : program));
  if (is_before && parsed_command(program) && hint.empty())
    return usage("option '" + name + "' does not stand before the command");
  const std::string help = program.get_name() + (command ? " " + who : "") + " --help";
  return usage(who + " has no option '" + name + "'" + (hint.empty() ? "; '" + help + "' lists them" : hint));
}

// CLI11 writes sentences, some of them over several lines.
std::string one_line(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  while (!text.empty() && (text.back() == ' ' || text.back() == '.')) text.pop_back();
  return text;
}

}  // namespace

std::vector<std::string> help_as_option(std::vector<std::string> arguments) {
  if (arguments.empty() || arguments.front() != "help") return arguments;
  arguments.erase(arguments.begin());
  arguments.push_back("--help");
  return arguments;
}

std::optional<Diagnostic> unknown_command(const CLI::App& program, const std::vector<std::string>& arguments) {
  if (arguments.empty() || arguments.front().starts_with("-")) return std::nullopt;
  const std::vector<std::string> names = command_names(program);
  const std::string& name = arguments.front();
  if (std::find(names.begin(), names.end(), name) != names.end()) return std::nullopt;
  const std::string hint = did_you_mean(name, names);
  if (!hint.empty()) return usage("there is no command '" + name + "'" + hint);
  std::string known;
  for (const std::string& each : names) known += (known.empty() ? "" : ", ") + each;
  return usage("there is no command '" + name + "'; there are " + known);
}

std::optional<Diagnostic> parse_error(const CLI::App& program, const CLI::ParseError& error) {
  if (error.get_exit_code() == 0) return std::nullopt;
  // An option that nobody knows is often why something else is missing, so it comes first.
  const std::vector<std::string> extras = program.remaining(true);
  const auto option = std::find_if(extras.begin(), extras.end(),
                                   [](const auto& text) { return text.starts_with("-") && text != "--"; });
  if (option != extras.end()) return unknown_option(program, *option);
  const bool is_extra = error.get_exit_code() == static_cast<int>(CLI::ExitCodes::ExtrasError);
  if (is_extra && !extras.empty()) return unknown_option(program, extras.front());
  const CLI::App* command = parsed_command(program);
  if (!command) return usage("needs a command; '" + program.get_name() + " --help' lists them");
  return usage(one_line(error.what()) + "; see '" + program.get_name() + " " + command->get_name() + " --help'");
}

}  // namespace varylink::cli
