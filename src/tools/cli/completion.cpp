// Completion scripts for bash, zsh and fish.
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

// What bash offers behind an option, empty if nothing can be known. In a list that is for what stands behind the last
// comma.
std::string bash_values(const OptionFacts& option) {
  std::string files;
  if (takes_folder(option)) files = "compgen -d -- \"$word\"";
  if (takes_file(option)) files = "compgen -f -- \"$word\"";
  if (option.known.empty()) return files.empty() ? "true" : files;
  const std::string words = "compgen -W '" + joined(option.known, " ") + "' ";
  if (option.is_list) return "[[ $word == *,* ]] && before=${word%,*},; " + words + "-P \"$before\" -- \"${word##*,}\"";
  return words + "-- \"$word\"" + (files.empty() ? "" : "; " + files);
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
  const std::string words = joined(option.known, " ");
  if (!option.known.empty() && option.is_list) return "_values -s , value " + words;
  if (!option.known.empty() && takes_file(option))
    return "_alternative \"value\\:value\\:(" + words + ")\" \"file\\:file\\:_files\"";
  if (!option.known.empty()) return "(" + words + ")";
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

// Inside '...' of fish, where a quote is written \' and a backslash \\.
std::string fish_quoted(const std::string& text) {
  std::string result = "'";
  for (const char c : text) result += c == '\'' || c == '\\' ? std::string("\\") + c : std::string(1, c);
  return result + "'";
}

// "-q" is short, "--quiet" is long, "-MD" is what fish calls an old option.
std::string fish_name(const std::string& name) {
  if (name.starts_with("--")) return " -l " + name.substr(2);
  return (name.size() == 2 ? " -s " : " -o ") + name.substr(1);
}

// One `complete` for an option. `condition` is where it holds.
std::string fish_option(const std::string& program, const std::string& condition, const OptionFacts& option) {
  if (option.names.empty()) return {};
  std::string text = "complete -c " + program + " -n " + fish_quoted(condition);
  for (const std::string& name : option.names) text += fish_name(name);
  if (option.takes_value) text += takes_file(option) || takes_folder(option) ? " -r -F" : " -x";
  const std::string words = fish_quoted(joined(option.known, " "));
  if (option.is_list && !option.known.empty())
    text += " -a " + fish_quoted("(__fish_append , " + joined(option.known, " ") + ")");
  else if (!option.known.empty())
    text += " -a " + words;
  return text + " -d " + fish_quoted(option.description) + "\n";
}

}  // namespace

std::string fish_completion(const ProgramFacts& program) {
  std::string text = "# Completion of " + program.name + " for fish. Made by: " + program.name + " generate fish\n";
  const std::string complete = "complete -c " + program.name;
  const std::string no_command = "not __fish_seen_subcommand_from " + command_names(program, " ");
  text += complete + " -f -n " + fish_quoted(no_command) + "\n";
  for (const OptionFacts& option : program.options) text += fish_option(program.name, no_command, option);
  for (const CommandFacts& command : program.commands)
    text += complete + " -f -n " + fish_quoted(no_command) + " -a " + command.name + " -d " +
            fish_quoted(command.summary) + "\n";
  for (const CommandFacts& command : program.commands) {
    const std::string condition = "__fish_seen_subcommand_from " + command.name;
    for (const OptionFacts& option : command.options) {
      text += fish_option(program.name, condition, option);
      if (!option.positional.empty() && !option.known.empty())
        text += complete + " -f -n " + fish_quoted(condition) + " -a " + fish_quoted(joined(option.known, " ")) + "\n";
    }
  }
  return text;
}

std::string bash_completion(const ProgramFacts& program) {
  std::string text = "# Completion of " + program.name + " for bash. Made by: " + program.name + " generate bash\n";
  text += "_" + program.name + "() {\n  local word=${COMP_WORDS[COMP_CWORD]} found= before=\n  COMPREPLY=()\n";
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
