// The manual page, in the language of man(7).
#include <algorithm>
#include <cctype>

#include "cli/option_table.h"

namespace varylink::cli {
namespace {

// Text that troff prints as it is: no escapes, hyphens that can be copied, no requests at the start of a line.
std::string plain(const std::string& text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool starts_line = i == 0 || text[i - 1] == '\n';
    if (starts_line && (text[i] == '.' || text[i] == '\'')) result += "\\&";
    if (text[i] == '\\')
      result += "\\e";
    else if (text[i] == '-')
      result += "\\-";
    else
      result += text[i];
  }
  return result;
}

std::string upper(std::string text) {
  for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return text;
}

std::string option_entry(const OptionFacts& option) {
  std::string head;
  for (const std::string& name : option.names) head += (head.empty() ? "" : ", ") + ("\\fB" + plain(name) + "\\fR");
  if (!option.positional.empty()) head = "\\fI" + plain(option.positional) + "\\fR";
  if (option.takes_value && !option.names.empty() && !option.value.empty())
    head += " \\fI" + plain(option.value) + "\\fR";
  std::string description = option.description;
  std::string choices;
  for (const std::string& choice : option.choices) choices += " " + choice;
  if (!choices.empty()) description += (description.empty() ? "one of" : "; one of") + choices;
  if (!option.default_value.empty()) description += " (default: " + option.default_value + ")";
  return ".TP\n" + head + "\n" + plain(description) + "\n";
}

// The options group by group, in the order in which the groups first come up.
std::string option_entries(const std::vector<OptionFacts>& options) {
  std::vector<std::string> groups;
  for (const OptionFacts& option : options)
    if (std::find(groups.begin(), groups.end(), option.group) == groups.end()) groups.push_back(option.group);
  std::string text;
  for (const std::string& group : groups) {
    if (groups.size() > 1) text += ".PP\n\\fI" + plain(group) + "\\fR\n";
    for (const OptionFacts& option : options)
      if (option.group == group) text += option_entry(option);
  }
  return text;
}

std::string as_typed(const std::string& text) { return ".nf\n" + plain(text) + "\n.fi\n"; }

}  // namespace

std::string manual_page(const ProgramFacts& program, const std::string& version) {
  std::string text = ".\\\" Made by: " + program.name + " generate man\n";
  text += ".TH " + upper(program.name) + " 1 \"\" \"" + program.name + " " + version + "\" \"User Commands\"\n";
  text +=
      ".SH NAME\n" + plain(program.name) + " \\- optimize what flows between the shader stages of graphics pipelines\n";
  text += ".SH SYNOPSIS\n";
  for (const CommandFacts& command : program.commands)
    text += ".B " + program.name + " " + command.name + "\n[\\fIoptions\\fR] [\\fIfiles\\fR]\n.br\n";
  text += ".SH DESCRIPTION\n" + plain(program.summary) + "\n";
  text += option_entries(program.options);
  for (const CommandFacts& command : program.commands) {
    text += ".SH " + upper(program.name) + " " + upper(command.name) + "\n" + plain(command.summary) + ".\n";
    text += option_entries(command.options);
    if (!command.footer.empty()) text += ".PP\n" + as_typed(command.footer);
  }
  return text + ".SH NOTES\n" + as_typed(program.footer);
}

}  // namespace varylink::cli
