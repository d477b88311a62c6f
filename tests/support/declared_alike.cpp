#include "support/declared_alike.h"

#include <map>
#include <optional>

#include "spirv/tools/binary.h"
#include "varyings/reflect/interface_variable.h"

namespace varylink::test {
namespace {

using Qualifiers = std::map<varyings::Slot, varyings::Interpolation>;

std::optional<Qualifiers> qualifiers_of(const link::StageInput& stage, varyings::Direction direction) {
  const Result<spirv::Module> module = spirv::read_module(stage.words, stage.file);
  if (!module) return std::nullopt;
  const Result<varyings::Entry> entry = varyings::find_entry(*module, stage.stage, stage.entry_point, stage.file);
  if (!entry) return std::nullopt;
  Qualifiers found;
  for (const varyings::InterfaceVariable& variable : varyings::interface_variables(*module, *entry, direction))
    for (const varyings::Leaf& leaf : variable.leaves)
      for (std::uint32_t c = 0; c < leaf.count; ++c) found[leaf.slot_of(c)] = leaf.interpolation;
  return found;
}

}  // namespace

std::string first_unlike_qualifier(const std::vector<link::StageInput>& stages) {
  if (stages.size() < 2 || stages.back().stage != Stage::fragment) return {};
  const auto outputs = qualifiers_of(stages[stages.size() - 2], varyings::Direction::output);
  const auto inputs = qualifiers_of(stages.back(), varyings::Direction::input);
  if (!outputs || !inputs) return {};
  for (const auto& [slot, wanted] : *inputs) {
    const auto given = outputs->find(slot);
    if (given != outputs->end() && given->second != wanted)
      return "location " + text(slot) + ": " + text(given->second) + " out, " + text(wanted) + " in";
  }
  return {};
}

}  // namespace varylink::test
