#include "cli/option_table.h"

#include <regex>
#include <utility>

#include "cli/option_values.h"

namespace varylink::cli {
namespace {

// "ENV:{a,b}" names its choices.
std::vector<std::string> choices_of(const std::string& type) {
  std::vector<std::string> choices;
  const std::size_t open = type.find('{'), close = type.rfind('}');
  if (open == std::string::npos || close == std::string::npos) return choices;
  std::string choice;
  for (const char c : type.substr(open + 1, close - open - 1) + ",")
    if (c != ',')
      choice += c;
    else
      choices.push_back(std::exchange(choice, {}));
  return choices;
}

// Spellings that are taken care of before the options are parsed stand in the description: "(also -MD)".
void add_other_spellings(OptionFacts& facts) {
  static const std::regex also(R"(^\(also (-\w+)\) )");
  std::smatch match;
  if (!std::regex_search(facts.description, match, also)) return;
  facts.names.insert(facts.names.begin(), match[1].str());
  facts.description = match.suffix().str();
}

OptionFacts facts_of(const CLI::Option& option) {
  OptionFacts facts;
  for (const std::string& name : option.get_snames()) facts.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) facts.names.push_back("--" + name);
  if (facts.names.empty()) facts.positional = option.get_name();
  facts.takes_value = option.get_expected_max() > 0;
  const std::string type = option.get_type_name();
  if (facts.takes_value) {
    facts.value = type.substr(0, type.find(':'));
    facts.choices = choices_of(type);
    facts.known = facts.choices;
    for (const std::string& name : facts.names)
      if (facts.known.empty()) facts.known = known_values(name);
    facts.is_list = option.get_delimiter() != '\0';
    facts.default_value = option.get_default_str();
  }
  facts.description = option.get_description();
  facts.group = option.get_group();
  add_other_spellings(facts);
  return facts;
}

}  // namespace

std::vector<OptionFacts> options_of(const CLI::App& app) {
  std::vector<OptionFacts> options;
  for (const CLI::Option* option : app.get_options())
    if (!option->get_group().empty()) options.push_back(facts_of(*option));  // those without a group are hidden
  return options;
}
ProgramFacts facts_of(const CLI::App& program) {
  ProgramFacts facts{program.get_name(), program.get_description(), program.get_footer(), options_of(program), {}};
  for (const CLI::App* command : program.get_subcommands([](const CLI::App*) { return true; })) {
    const std::string footer = command->get_footer() == facts.footer ? std::string() : command->get_footer();
    facts.commands.push_back({command->get_name(), command->get_description(), footer, options_of(*command)});
  }
  return facts;
}

}  // namespace varylink::cli
