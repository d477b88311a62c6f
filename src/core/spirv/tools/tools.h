// SPIRV-Tools' services through its public API. No other file includes its headers.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "spirv/ir/module.h"
#include "spirv/tools/valid_words.h"

namespace varylink::spirv {

// vulkan1_1_spirv1_4: Vulkan 1.1 with VK_KHR_spirv_1_4.
enum class TargetEnv { vulkan1_0, vulkan1_1, vulkan1_1_spirv1_4, vulkan1_2, vulkan1_3, vulkan1_4 };

// "vulkan1.0", "vulkan1.1", "vulkan1.1spv1.4", ..., as SPIRV-Tools name them; none for anything else.
std::optional<TargetEnv> target_env_from_name(std::string_view name);
std::vector<std::string> target_env_names();
std::string_view name_of(TargetEnv env);
// Error (ErrorKind::usage): the SPIRV-Tools that are linked in are older than `env`. No other function takes it then.
Result<void> require_known(TargetEnv env);

// Relaxations of the block layout rules that some input needs (`spirv-val` options of the same names).
struct ValidatorOptions {
  TargetEnv env = TargetEnv::vulkan1_3;
  bool scalar_block_layout = false;
  bool uniform_buffer_standard_layout = false;
  bool relax_block_layout = false;
  bool allow_localsizeid = false;
  bool known_issues_are_errors =
      false;  // also refuse modules that only versions like the installed one refuse (known_issues.h)
  friend bool operator==(const ValidatorOptions&, const ValidatorOptions&) = default;
};

// Runs the SPIR-V validator, on inputs and on results (rule ). Error: ErrorKind::invalid_spirv with
// the validator's message, the VUID taken out of it.
// Warnings: messages that later versions of the validator took back; the rest of the module is valid.
// Words that `own` knows to be valid are not validated again.
Result<Diagnostics> validate(std::span<const std::uint32_t> words, const ValidatorOptions& options, const FileRef& file,
                             const WordsOfStage& own = {});

// Version of the SPIRV-Tools that are linked in: their full text, and "v2023.1".
std::string tools_version();
std::string tools_release();
// "SPIRV-Tools v2023.1": the validator's name in messages and reports.
std::string validator_name();
// Whether a diagnostic is the validator's message, or the warning that newer versions took it back.
bool is_of_validator(const Diagnostic& diagnostic);

// SPIR-V assembly -> words, of the SPIR-V version that the listing says in its "; Version:" line, else of the newest
// one that `env` has. Error: ErrorKind::invalid_spirv with the line.
Result<std::vector<std::uint32_t>> assemble(std::string_view text, TargetEnv env, const FileRef& file);

// Words -> SPIR-V assembly with friendly names and no header comment; empty if the words cannot be decoded.
std::string disassemble(std::span<const std::uint32_t> words);

}  // namespace varylink::spirv
