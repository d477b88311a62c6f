// Completion scripts for bash and zsh.
#include <algorithm>

#include "cli/option_table.h"

namespace varylink::cli {
namespace {

std::string joined(const std::vector<std::string>& words, const char* separator) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : separator) + word;
  return text;
}

std::string command_names(const ProgramFacts& program, const char* separator) {
  std::vector<std::string> names;
  for (const CommandFacts& command : program.commands) names.push_back(command.name);
  return joined(names, separator);
}

std::string option_names(const std::vector<OptionFacts>& options) {
  std::vector<std::string> names;
  for (const OptionFacts& option : options) names.insert(names.end(), option.names.begin(), option.names.end());
  return joined(names, " ");
}

bool takes_folder(const OptionFacts& option) { return option.value == "DIR"; }
bool takes_file(const OptionFacts& option) { return option.value.find("FILE") != std::string::npos; }

// What bash offers behind an option, empty if nothing can be known.
std::string bash_values(const OptionFacts& option) {
  if (!option.choices.empty()) return "compgen -W '" + joined(option.choices, " ") + "' -- \"$word\"";
  if (takes_folder(option)) return "compgen -d -- \"$word\"";
  if (takes_file(option)) return "compgen -f -- \"$word\"";
  return "true";
}

std::string bash_cases(const CommandFacts& command) {
  std::string text;
  for (const OptionFacts& option : command.options) {
    if (!option.takes_value || option.names.empty()) continue;
    std::vector<std::string> patterns;
    for (const std::string& name : option.names) patterns.push_back(command.name + ":" + name);
    text += "    " + joined(patterns, "|") + ")\n      found=$(" + bash_values(option) + ") ;;\n";
  }
  return text + "    " + command.name + ":*)\n      if [[ $word == -* ]]; then found=$(compgen -W '" +
         option_names(command.options) + "' -- \"$word\"); else found=$(compgen -f -- \"$word\"); fi ;;\n";
}

// Inside '...' of zsh, where a quote is written '\''.
std::string zsh_quoted(const std::string& text, const char* also_escaped) {
  std::string result;
  for (const char c : text) {
    if (c == '\'') {
      result += "'\\''";
      continue;
    }
    if (std::string_view(also_escaped).find(c) != std::string_view::npos) result += '\\';
    result += c;
  }
  return result;
}

std::string zsh_action(const OptionFacts& option) {
  if (!option.choices.empty()) return "(" + joined(option.choices, " ") + ")";
  if (takes_folder(option)) return "_files -/";
  if (takes_file(option) || !option.positional.empty()) return "_files";
  return " ";
}

// One line for _arguments.
std::string zsh_argument(const std::string& name, const OptionFacts& option) {
  const std::string value = option.value.empty() ? "value" : option.value;
  std::string text = "        '*" + name + "[" + zsh_quoted(option.description, "[]\\") + "]";
  if (option.takes_value) text += ":" + zsh_quoted(value, ":\\") + ":" + zsh_action(option);
  return text + "' \\\n";
}

std::string zsh_command(const CommandFacts& command) {
  std::string text = "    " + command.name + ")\n      _arguments -S \\\n";
  for (const OptionFacts& option : command.options)
    for (const std::string& name : option.names) text += zsh_argument(name, option);
  return text + "        '*:file:_files' ;;\n";
}

}  // namespace

std::string bash_completion(const ProgramFacts& program) {
  std::string text = "# Completion of " + program.name + " for bash. Made by: " + program.name + " generate bash\n";
  text += "_" + program.name + "() {\n  local word=${COMP_WORDS[COMP_CWORD]} found=\n  COMPREPLY=()\n";
  text += "  if ((COMP_CWORD == 1)); then\n    found=$(compgen -W '" + command_names(program, " ") + " " +
          option_names(program.options) + "' -- \"$word\")\n";
  text += "  else case \"${COMP_WORDS[1]}:${COMP_WORDS[COMP_CWORD-1]}\" in\n";
  for (const CommandFacts& command : program.commands) text += bash_cases(command);
  text += "  esac; fi\n  [[ -z $found ]] || mapfile -t COMPREPLY <<<\"$found\"\n}\n";
  return text + "complete -o filenames -F _" + program.name + " " + program.name + "\n";
}

std::string zsh_completion(const ProgramFacts& program) {
  std::string text = "#compdef " + program.name + "\n# Completion of " + program.name +
                     " for zsh. Made by: " + program.name + " generate zsh\n";
  text += "_" + program.name + "() {\n  if ((CURRENT == 2)); then\n    local -a commands=(\n";
  for (const CommandFacts& command : program.commands)
    text += "      '" + command.name + ":" + zsh_quoted(command.summary, ":\\") + "'\n";
  text += "    )\n    _describe command commands\n    _arguments";
  for (const OptionFacts& option : program.options)
    for (const std::string& name : option.names)
      text += " '" + name + "[" + zsh_quoted(option.description, "[]\\") + "]'";
  text += "\n    return\n  fi\n  local command=$words[2]\n  shift words\n  ((CURRENT--))\n  case $command in\n";
  for (const CommandFacts& command : program.commands) text += zsh_command(command);
  return text + "  esac\n}\nif [[ $funcstack[1] == _" + program.name + " ]]; then _" + program.name +
         " \"$@\"; else compdef _" + program.name + " " + program.name + "; fi\n";
}

}  // namespace varylink::cli
