// The command line as data. The manual page and the completions of shells are made of it, so that they know every
// option.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace varylink::cli {

struct OptionFacts {
  std::vector<std::string> names;    // "-o", "--report", "-MD"; empty for positional arguments
  std::string positional;            // "FILES"
  std::string value;                 // its argument: "FILE", "DIR|STAGE=FILE"; empty for flags
  std::vector<std::string> choices;  // the values there are, if they are few
  std::vector<std::string> known;    // values that a shell offers: the choices, or names among other values
  bool is_list = false;              // takes several values with commas between
  std::string description, group, default_value;
  bool takes_value = false;
};

struct CommandFacts {
  std::string name, summary;
  std::string footer;  // empty if it is that of the program
  std::vector<OptionFacts> options;
};

struct ProgramFacts {
  std::string name, summary, footer;
  std::vector<OptionFacts> options;
  std::vector<CommandFacts> commands;
};

// The options of a program or command, without those that its help hides.
std::vector<OptionFacts> options_of(const CLI::App& app);
ProgramFacts facts_of(const CLI::App& program);

// Completion scripts, and a manual page in the language of man(7).
std::string bash_completion(const ProgramFacts& program);
std::string zsh_completion(const ProgramFacts& program);
std::string fish_completion(const ProgramFacts& program);
std::string manual_page(const ProgramFacts& program, const std::string& version);

}  // namespace varylink::cli
