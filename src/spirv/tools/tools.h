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

enum class TargetEnv { vulkan1_0, vulkan1_1, vulkan1_2, vulkan1_3 };

// "vulkan1.0" ... "vulkan1.3"; none for anything else.
std::optional<TargetEnv> target_env_from_name(std::string_view name);
std::string_view name_of(TargetEnv env);

// Relaxations of the block layout rules that some input needs (`spirv-val` options of the same names).
struct ValidatorOptions {
  TargetEnv env = TargetEnv::vulkan1_3;
  bool scalar_block_layout = false;
  bool uniform_buffer_standard_layout = false;
  bool relax_block_layout = false;
  bool allow_localsizeid = false;
  friend bool operator==(const ValidatorOptions&, const ValidatorOptions&) = default;
};

// Runs the SPIR-V validator, on what comes in and on what goes out (rule ). Error: ErrorKind::invalid_spirv with
// the validator's message, the VUID taken out of it. With a cache in `tools`, words that were found valid before are
// not looked at again.
Result<void> validate(std::span<const std::uint32_t> words, const ValidatorOptions& options, const std::string& file,
                      const StageTools& tools = {});

// Version of the SPIRV-Tools that are linked in, as they state it.
std::string tools_version();

// SPIR-V assembly -> words. Error: ErrorKind::invalid_spirv with the line.
Result<std::vector<std::uint32_t>> assemble(std::string_view text, TargetEnv env, const std::string& file);

// Words -> SPIR-V assembly with friendly names and no header comment; empty if the words cannot be decoded.
std::string disassemble(std::span<const std::uint32_t> words);

}  // namespace varylink::spirv
