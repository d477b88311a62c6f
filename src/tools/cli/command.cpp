#include "cli/command.h"

#include <array>

namespace varylink::cli {

std::span<const CommandRow> command_table() {
  static constexpr std::array kCommands = {
      CommandRow{"link", "optimize what flows between the stages of pipelines", make_link_command},
      CommandRow{"verify", "draw original and linked pipelines on a Vulkan driver and compare", make_verify_command},
      CommandRow{"prove", "show for all inputs that linked pipelines do what the original ones do", make_prove_command},
      CommandRow{"measure", "say what a Vulkan driver compiles original and linked pipelines to", make_measure_command},
      CommandRow{"check", "say where the stages of pipelines do not fit together", make_check_command},
      CommandRow{"explain", "say in words what became of the varyings of a pipeline, and why", make_explain_command},
      CommandRow{"analyze", "say what linking could win for shaders whose partners are not known",
                 make_analyze_command},
      CommandRow{"diff", "say which pipelines two runs made better and which worse", make_diff_command},
      CommandRow{"merge-reports", "put the reports of a sharded run together", make_merge_reports_command},
      CommandRow{"run", "run a Vulkan program and link its pipelines while it creates them", make_run_command},
      CommandRow{"import", "turn pipelines of other programs into a manifest", make_import_command},
      CommandRow{"replace", "prepare linked shaders for a replay of the capture that they were imported from",
                 make_replace_command},
      CommandRow{"generate", "print completion for a shell, or the manual page", make_generate_command},
  };
  return kCommands;
}

}  // namespace varylink::cli
