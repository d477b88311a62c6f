#include "spirv/tools/newer_module.h"

#include <algorithm>
#include <array>
#include <set>
#include <string_view>

#include "spirv/ir/header_words.h"
#include "spirv/tools/known_extensions.h"
#include "spirv/tools/module_walk.h"
#include "spirv/tools/tool_words.h"

namespace varylink::spirv {
namespace {

// Each instruction that is not known costs one more walk over the words. A module in which more are walked than this is
// believed: that is 64 unknown instructions among 2^20 words.
constexpr std::uint64_t kMostWalkedWords = std::uint64_t{1} << 26;

constexpr std::size_t kMostListed = 4;

std::size_t length_at(std::span<const std::uint32_t> words, std::size_t at) { return words[at] >> spv::WordCountShift; }
spv::Op op_at(std::span<const std::uint32_t> words, std::size_t at) {
  return static_cast<spv::Op>(words[at] & spv::OpCodeMask);
}

bool is_newer_version(std::uint32_t version) { return (version & 0xff0000ffu) == 0 && version > kNewestVersion; }

bool is_known_capability(std::uint32_t capability) {
  const std::array<std::uint32_t, 7> module = {
      kMagic,    kNewestVersion, 0, 1, 0, 2u << spv::WordCountShift | static_cast<std::uint32_t>(spv::Op::OpCapability),
      capability};
  return walk_module(module).error.empty();
}

std::string literal_at(std::span<const std::uint32_t> words, std::size_t begin, std::size_t end) {
  std::string text;
  for (std::size_t i = begin; i < end; ++i)
    for (int shift = 0; shift < 32; shift += 8) {
      const char c = static_cast<char>(words[i] >> shift & 0xff);
      if (c == 0) return text;
      text += c;
    }
  return text;
}

// The words with a version that is known and without the capabilities that are not.
struct Declared {
  std::vector<std::string> newer;
  KnownPart part;
};

Declared declared_by(std::span<const std::uint32_t> words) {
  Declared declared;
  std::vector<std::uint32_t>& known = declared.part.words;
  known.assign(words.begin(), words.begin() + kHeaderWords);
  if (is_newer_version(words[1])) {
    declared.newer.push_back("SPIR-V " + std::to_string(words[1] >> 16) + "." + std::to_string(words[1] >> 8 & 0xff));
    known[1] = kNewestVersion;
  }
  for (std::size_t at = kHeaderWords; at < words.size(); at += length_at(words, at)) {
    const std::size_t length = length_at(words, at);
    const auto begin = words.begin() + static_cast<std::ptrdiff_t>(at),
               end = begin + static_cast<std::ptrdiff_t>(length);
    if (op_at(words, at) == spv::Op::OpCapability && length == 2 && !is_known_capability(words[at + 1])) {
      declared.newer.push_back("capability " + std::to_string(words[at + 1]));
      declared.part.unknown.push_back({known.size(), {begin, end}});
      continue;
    }
    if (op_at(words, at) == spv::Op::OpExtension)
      if (const std::string name = literal_at(words, at + 1, at + length); !is_known_extension(name))
        declared.newer.push_back("extension " + name);
    known.insert(known.end(), begin, end);
  }
  return declared;
}

// What defines the id is not among the known instructions.
bool is_foreign(const Module& module, std::uint32_t id) { return id != 0 && id < module.bound && !module.def(id); }

// The instruction that the walk ended at may be right: its opcode, an enumerant, an instruction set or an operand more
// than are known is newer, or it depends on one of the `unknown` instructions that were taken out before. The messages
// are those of SPIRV-Tools' source/binary.cpp; what they are not said about (too few words, ids that are zero or
// defined twice) is damage in every version.
bool may_be_unknown(const ModuleWalk& walk, std::span<const std::uint32_t> words, std::size_t unknown) {
  const std::string_view error = walk.error;
  if (error.starts_with("Invalid opcode") || error.starts_with("Invalid extended instruction") ||
      error.starts_with("Invalid OpSpecConstantOp opcode"))
    return true;
  if (error.starts_with("Invalid ") && error.find(" operand: ") != std::string_view::npos) return true;
  if (error.find("expected no more operands") != std::string_view::npos) return true;
  if (unknown == 0) return false;  // nothing that could define what it depends on
  const std::size_t length = length_at(words, walk.at);
  switch (op_at(words, walk.at)) {
    case spv::Op::OpConstant:
    case spv::Op::OpSpecConstant:
    case spv::Op::OpSwitch: return length > 1 && is_foreign(walk.module, words[walk.at + 1]);
    case spv::Op::OpExtInst: return length > 3 && is_foreign(walk.module, words[walk.at + 3]);
    default: return false;
  }
}

// Types have a result and no type, but so have a few other things.
bool may_be_type(const Module& module, Id id) {
  const InstRef def = module.def(id);
  if (!def) return true;
  const spv::Op op = module[def].op;
  return module[def].type == 0 && op != spv::Op::OpLabel && op != spv::Op::OpString && op != spv::Op::OpExtInstImport &&
         op != spv::Op::OpDecorationGroup;
}

// Every function ends, and each block in it, as far as the instructions are known.
bool functions_end(const Module& module, bool all_known) {
  return std::all_of(module.functions.begin(), module.functions.end(), [&](const Function& function) {
    const bool blocks_end = std::none_of(function.blocks.begin(), function.blocks.end(),
                                         [](const Block& block) { return block.body.empty(); });
    return !function.tail.empty() && (blocks_end || !all_known);
  });
}

// `unknown`: how many instructions were taken out, each of which may have defined an id.
bool is_sound(const ModuleWalk& walk, std::size_t unknown) {
  const Module& module = walk.module;
  if (walk.is_misplaced || walk.is_out_of_order || !functions_end(module, unknown == 0)) return false;
  std::set<Id> undefined;
  const auto use = [&](Id id) {
    if (id != 0 && !module.def(id)) undefined.insert(id);
  };
  for (std::uint32_t i = 0; i < module.inst_count(); ++i) {
    const InstRef inst{i};
    if (module[inst].type != 0 && !may_be_type(module, module[inst].type)) return false;
    use(module[inst].type);
    for (const Operand& operand : module.operands(inst))
      if (operand.is_id) use(operand.word);
  }
  return undefined.size() <= unknown;
}

enum class Found { all, damage, too_much };

// Takes out the other instructions that are not known.
Found take_out_unknown(KnownPart& part) {
  std::vector<std::uint32_t>& words = part.words;
  std::size_t unknown = 0;
  for (std::uint64_t walked = 0; walked < kMostWalkedWords; walked += words.size()) {
    const ModuleWalk walk = walk_module(words);
    if (walk.error.empty()) return is_sound(walk, unknown) ? Found::all : Found::damage;
    if (walk.is_damage || walk.at < kHeaderWords || walk.at >= words.size() || !may_be_unknown(walk, words, unknown))
      return Found::damage;
    const auto begin = words.begin() + static_cast<std::ptrdiff_t>(walk.at);
    const auto end = begin + static_cast<std::ptrdiff_t>(length_at(words, walk.at));
    for (UnknownWords& other : part.unknown)
      if (other.at > walk.at) other.at -= static_cast<std::size_t>(end - begin);
    part.unknown.push_back({walk.at, {begin, end}});
    words.erase(begin, end);
    ++unknown;
  }
  return Found::too_much;
}

}  // namespace

bool is_complete_stream(std::span<const std::uint32_t> words) {
  if (words.size() <= kHeaderWords || words[0] != kMagic) return false;
  std::size_t at = kHeaderWords;
  while (at < words.size()) {
    const std::size_t length = length_at(words, at);
    if (length == 0 || length > words.size() - at) return false;
    at += length;
  }
  return true;
}

std::vector<std::string> newer_features(std::span<const std::uint32_t> words) {
  if (!is_complete_stream(words)) return {};
  Declared declared = declared_by(with_known_languages(words));
  if (declared.newer.empty() || take_out_unknown(declared.part) == Found::damage) return {};
  return declared.newer;
}

std::optional<KnownPart> known_part(std::span<const std::uint32_t> words) {
  if (!is_complete_stream(words)) return std::nullopt;
  Declared declared = declared_by(with_known_languages(words));
  KnownPart& part = declared.part;
  if (declared.newer.empty() || take_out_unknown(part) != Found::all) return std::nullopt;
  std::stable_sort(part.unknown.begin(), part.unknown.end(),
                   [](const UnknownWords& a, const UnknownWords& b) { return a.at < b.at; });
  return std::move(part);
}

std::string listed(const std::vector<std::string>& features) {
  std::string text;
  for (std::size_t i = 0; i < std::min(features.size(), kMostListed); ++i) text += (i == 0 ? "" : ", ") + features[i];
  if (features.size() > kMostListed) text += " and " + std::to_string(features.size() - kMostListed) + " more";
  return text;
}

}  // namespace varylink::spirv
