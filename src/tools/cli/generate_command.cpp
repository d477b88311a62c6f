// `varylink generate`: files about the command line that are made from its own options.
#include <cstdio>

#include "base/version.h"
#include "cli/command.h"
#include "cli/option_table.h"

namespace varylink::cli {
namespace {

class GenerateCommand : public Command {
 public:
  void declare(CLI::App& app) override {
    program_ = app.get_parent();
    app.add_option("WHAT", what_, "bash, zsh or fish: completion for that shell; man: the manual page")
        ->required()
        ->check(CLI::IsMember({"bash", "zsh", "fish", "man"}))
        ->type_name("");
  }

  int run() override {
    const ProgramFacts program = facts_of(*program_);
    const std::string text = what_ == "bash"   ? bash_completion(program)
                             : what_ == "zsh"  ? zsh_completion(program)
                             : what_ == "fish" ? fish_completion(program)
                                               : manual_page(program, std::string(kVersion));
    std::fputs(text.c_str(), stdout);
    return 0;
  }

 private:
  const CLI::App* program_ = nullptr;
  std::string what_;
};

}  // namespace

std::unique_ptr<Command> make_generate_command() { return std::make_unique<GenerateCommand>(); }

}  // namespace varylink::cli
