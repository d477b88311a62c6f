#include "spirv/tools/binary.h"

#include <spirv-tools/libspirv.h>

#include <cstring>
#include <optional>

#include "spirv/ir/foreign.h"
#include "spirv/ir/header_words.h"
#include "spirv/tools/module_walk.h"
#include "spirv/tools/newer_module.h"
#include "spirv/tools/table_reader.h"
#include "spirv/tools/tool_words.h"

namespace varylink::spirv {
namespace {

std::uint32_t swapped(std::uint32_t word) {
  return (word >> 24) | ((word >> 8) & 0xff00u) | ((word << 8) & 0xff0000u) | (word << 24);
}

void append(std::vector<std::uint32_t>& words, const Module& module, std::span<const InstRef> list) {
  for (const InstRef inst : list) {
    if (module.is_dead(inst)) continue;
    const Inst& record = module[inst];
    const auto operands = module.operands(inst);
    const std::uint32_t count =
        1 + (record.type != 0) + (record.result != 0) + static_cast<std::uint32_t>(operands.size());
    words.push_back(count << 16 | opcode_in_words(record.op));
    if (record.type != 0) words.push_back(record.type);
    if (record.result != 0) words.push_back(record.result);
    for (const Operand& operand : operands) words.push_back(operand.word);
  }
}

// `detail` is what SPIRV-Tools say.
std::string reason_for_refusal(std::span<const std::uint32_t> words, const std::string& detail) {
  const std::string tools = "SPIRV-Tools " + std::string(spvSoftwareVersionString());
  if (!is_complete_stream(words)) return "not a SPIR-V module: " + detail;
  const std::vector<std::string> newer = newer_features(words);
  if (newer.empty()) return "the module is damaged: " + detail;
  return "the module is newer than this build, which knows SPIR-V up to 1.6 (" + tools + "): " + listed(newer);
}

}  // namespace

Result<Module> read_module(std::span<const std::uint32_t> words, const FileRef& file) {
  if (words.size() < kHeaderWords)
    return make_error(ErrorKind::invalid_spirv, file, "the file is too short to be a SPIR-V module");
  ModuleWalk walk = walk_module(with_known_languages(words), Ids::dense);
  if (!walk.error.empty())
    return make_error(ErrorKind::invalid_spirv, file,
                      walk.is_damage ? walk.error : reason_for_refusal(words, walk.error));
  if (walk.is_misplaced)
    return make_error(ErrorKind::invalid_spirv, file,
                      "an instruction stands behind the functions, or in one but in no block");
  restore_languages(walk.module, source_languages(words));
  return std::move(walk.module);
}

Result<Module> read_valid_module(std::span<const std::uint32_t> words, const FileRef& file) {
  if (std::optional<Module> module = read_by_table(words)) return std::move(*module);
  return read_module(words, file);
}

std::vector<std::uint32_t> write_module(const Module& module) {
  std::vector<std::uint32_t> words = {kMagic, module.version, module.generator, module.bound, module.schema};
  words.reserve(module.inst_count() * 5);
  for (const Section section : sections()) append(words, module, module.*section);
  for (const Function& function : module.functions) {
    append(words, module, function.head);
    for (const Block& block : function.blocks) {
      append(words, module, block.head);
      append(words, module, block.body);
    }
    append(words, module, function.tail);
  }
  return words;
}

Result<std::vector<std::uint32_t>> words_from_bytes(std::span<const char> bytes, const FileRef& file) {
  const auto bad = [&](const char* what) { return make_error(ErrorKind::invalid_spirv, file, what); };
  if (bytes.empty()) return bad("the file is empty");
  if (bytes.size() % 4 != 0) return bad("not SPIR-V: the size is not a multiple of four bytes");
  std::vector<std::uint32_t> words(bytes.size() / 4);
  std::memcpy(words.data(), bytes.data(), bytes.size());
  if (words[0] == swapped(kMagic))
    for (std::uint32_t& word : words) word = swapped(word);
  if (words[0] != kMagic) return bad("not SPIR-V: the magic number is missing");
  if (words.size() < kHeaderWords) return bad("the SPIR-V header is truncated");
  return words;
}

}  // namespace varylink::spirv
