// Shader modules in databases: SPIR-V words of which each takes one to five bytes, behind a JSON that says how many.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace varylink::formats::fossilize {

// Seven bits a byte, lowest first; the highest bit says that another byte follows.
std::string encoded_words(std::span<const std::uint32_t> words);
// None if the bytes do not hold exactly `count` words.
std::optional<std::vector<std::uint32_t>> decoded_words(std::string_view bytes, std::size_t count);

// VkShaderModuleCreateInfo.
struct ShaderModule {
  std::vector<std::uint32_t> words;
  std::uint32_t flags = 0;
};

// Reads the payload of a module with that hash; words may also be base64 in the JSON. `name` is what errors call it.
// Error: usage.
Result<ShaderModule> read_module(std::string_view payload, std::uint64_t hash, const std::string& name);

std::string module_payload(const ShaderModule& module, std::uint64_t hash);

// The hash that Fossilize gives such a module (compute_hash_shader_module).
std::uint64_t hash_of(const ShaderModule& module);

}  // namespace varylink::formats::fossilize
