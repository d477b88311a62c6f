#include "formats/fossilize/modules.h"

#include <algorithm>
#include <cstring>
#include <nlohmann/json.hpp>

#include "base/strict_json.h"
#include "formats/create_info.h"
#include "formats/fossilize/database.h"
#include "formats/fossilize/hasher.h"

namespace varylink::formats::fossilize {
namespace {

constexpr int kBits = 7;
constexpr std::uint32_t kMostBytes = 256u << 20;  // of a module

std::optional<std::vector<std::uint32_t>> words_of_base64(const std::string& text, std::size_t count) {
  const std::optional<std::string> bytes = decode_base64(text);
  if (!bytes || bytes->size() != 4 * count) return std::nullopt;
  std::vector<std::uint32_t> words(count);
  std::memcpy(words.data(), bytes->data(), bytes->size());
  return words;
}

std::optional<std::vector<std::uint32_t>> read_words(const StrictJson& json, std::string_view behind) {
  const auto size = json.need("codeSize");
  const std::uint32_t bytes = size ? size->number(0, kMostBytes) : 0;
  if (!json.is_sound()) return std::nullopt;
  if (bytes % 4 != 0) {
    size->complain("\"codeSize\" is no multiple of 4");
    return std::nullopt;
  }
  std::optional<std::vector<std::uint32_t>> words;
  if (const auto offset = json.find("varintOffset"), length = json.find("varintSize"); offset && length) {
    const std::size_t start = offset->number(), count = length->number();
    if (start <= behind.size() && count <= behind.size() - start)
      words = decoded_words(behind.substr(start, count), bytes / 4);
  } else if (const auto code = json.need("code")) {
    words = words_of_base64(code->text(), bytes / 4);
  }
  if (!words) json.complain("the words of the module are damaged");
  return words;
}

}  // namespace

std::string encoded_words(std::span<const std::uint32_t> words) {
  std::string bytes;
  for (std::uint32_t word : words) {
    for (; word >= 1u << kBits; word >>= kBits) bytes += static_cast<char>(0x80u | (word & 0x7f));
    bytes += static_cast<char>(word);
  }
  return bytes;
}

std::optional<std::vector<std::uint32_t>> decoded_words(std::string_view bytes, std::size_t count) {
  if (count > bytes.size()) return std::nullopt;
  std::vector<std::uint32_t> words(count);
  std::size_t at = 0;
  for (std::uint32_t& word : words) {
    bool more = true;
    for (int shift = 0; more; shift += kBits) {
      if (at == bytes.size() || shift >= 32) return std::nullopt;
      const auto byte = static_cast<unsigned char>(bytes[at++]);
      word |= std::uint32_t{byte & 0x7fu} << shift;
      more = (byte & 0x80) != 0;
    }
  }
  return at == bytes.size() ? std::optional(std::move(words)) : std::nullopt;
}

Result<ShaderModule> read_module(std::string_view payload, std::uint64_t hash, const std::string& name) {
  const std::size_t end = std::min(payload.find('\0'), payload.size());
  const std::string_view text = payload.substr(0, end);
  ShaderModule module;
  JsonProblem problem;
  if (const std::optional<nlohmann::json> json = parse_json(text, problem)) {
    const StrictJson root(*json, problem);
    const auto modules = root.need("shaderModules");
    const auto own = modules ? modules->need(hash_text(hash)) : std::nullopt;
    if (own) {
      if (const auto flags = own->find("flags")) module.flags = flags->number();
      module.words = read_words(*own, payload.substr(std::min(end + 1, payload.size()))).value_or(module.words);
    }
  }
  if (!problem.message.empty()) return json_error(text, name, problem);
  return module;
}

std::string module_payload(const ShaderModule& module, std::uint64_t hash) {
  const std::string words = encoded_words(module.words);
  std::string payload = "{\"version\":6,\"shaderModules\":{\"" + hash_text(hash) +
                        "\":{\"varintOffset\":0,\"varintSize\":" + std::to_string(words.size()) +
                        ",\"codeSize\":" + std::to_string(4 * module.words.size()) +
                        ",\"flags\":" + std::to_string(module.flags) + "}}}";
  payload += '\0';
  return payload + words;
}

std::uint64_t hash_of(const ShaderModule& module) {
  Hasher hasher;
  for (const std::uint32_t word : module.words) hasher.u32(word);
  hasher.u32(module.flags);
  return hasher.get();
}

}  // namespace varylink::formats::fossilize
