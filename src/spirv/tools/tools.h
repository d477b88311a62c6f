// The services of SPIRV-Tools that we stand on, through its public API only. Nothing else includes its headers.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "spirv/ir/module.h"
#include "spirv/tools/tool_cache.h"

namespace varylink::spirv {

enum class TargetEnv { vulkan1_0, vulkan1_1, vulkan1_2, vulkan1_3, vulkan1_4 };

// "vulkan1.0" ... "vulkan1.4"; none for anything else.
std::optional<TargetEnv> target_env_from_name(std::string_view name);
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
      false;  // also refuse what only versions like the installed one refuse (known_issues.h)
  friend bool operator==(const ValidatorOptions&, const ValidatorOptions&) = default;
};

// Runs the SPIR-V validator, on what comes in and on what goes out (rule ). Error: ErrorKind::invalid_spirv with
// the validator's message, the VUID taken out of it.
// Warnings: messages that later versions of the validator took back; the rest of the module is valid.
// With a cache in `tools`, words that were found valid before are not looked at again.
Result<Diagnostics> validate(std::span<const std::uint32_t> words, const ValidatorOptions& options, const FileRef& file,
                             const StageTools& tools = {});

// Version of the SPIRV-Tools that are linked in, as they state it: in full, and "v2023.1".
std::string tools_version();
std::string tools_release();
// "SPIRV-Tools v2023.1": what judges modules, as messages and reports call it.
std::string validator_name();
// Whether a diagnostic is what it said, or a warning that it says what newer versions do not.
bool is_of_validator(const Diagnostic& diagnostic);

// SPIR-V assembly -> words, of the SPIR-V version that the listing says in its "; Version:" line, else of the newest
// one that `env` has. Error: ErrorKind::invalid_spirv with the line.
Result<std::vector<std::uint32_t>> assemble(std::string_view text, TargetEnv env, const FileRef& file);

// Words -> SPIR-V assembly with friendly names and no header comment; empty if the words cannot be decoded.
std::string disassemble(std::span<const std::uint32_t> words);

}  // namespace varylink::spirv
