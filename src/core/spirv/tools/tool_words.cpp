#include "spirv/tools/tool_words.h"

#include "spirv/ir/header_words.h"

namespace varylink::spirv {
namespace {

// Languages up to this number are known to every SPIRV-Tools we build against.
constexpr auto kLastKnownLanguage = static_cast<std::uint32_t>(spv::SourceLanguage::SYCL);

// Names, decorations and types come behind what says where the module is from (SPIR-V 2.4).
bool is_behind_sources(spv::Op op) {
  return op == spv::Op::OpName || op == spv::Op::OpMemberName || op == spv::Op::OpDecorate ||
         op == spv::Op::OpMemberDecorate || (op >= spv::Op::OpTypeVoid && op <= spv::Op::OpFunction);
}

// Calls `visit` with the position of each OpSource language. Stops where the words are no instruction stream.
template <typename Visit>
void each_language(std::span<const std::uint32_t> words, Visit visit) {
  if (words.empty() || words[0] != kMagic) return;
  for (std::size_t i = kHeaderWords; i < words.size();) {
    const std::size_t count = words[i] >> 16;
    const auto op = static_cast<spv::Op>(words[i] & 0xffffu);
    if (count == 0 || i + count > words.size() || is_behind_sources(op)) return;
    if (op == spv::Op::OpSource && count > 1) visit(i + 1);
    i += count;
  }
}

}  // namespace

std::vector<std::uint32_t> with_known_languages(std::span<const std::uint32_t> words) {
  std::vector<std::uint32_t> known(words.begin(), words.end());
  each_language(words, [&](std::size_t position) {
    if (known[position] > kLastKnownLanguage)
      known[position] = static_cast<std::uint32_t>(spv::SourceLanguage::Unknown);
  });
  return known;
}

std::vector<std::uint32_t> source_languages(std::span<const std::uint32_t> words) {
  std::vector<std::uint32_t> languages;
  each_language(words, [&](std::size_t position) { languages.push_back(words[position]); });
  return languages;
}

void restore_languages(Module& module, std::span<const std::uint32_t> languages) {
  std::size_t next = 0;
  for (const InstRef inst : module.debug_strings)
    if (module[inst].op == spv::Op::OpSource && next < languages.size())
      module.set_operand(inst, 0, lit(languages[next++]));
}

}  // namespace varylink::spirv
