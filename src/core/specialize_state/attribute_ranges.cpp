#include "specialize_state/attribute_ranges.h"

#include "state/vulkan_format.h"

namespace varylink::specialize_state {
namespace {

std::optional<Range> attribute_range(const state::PipelineState& state, const varyings::Leaf& leaf,
                                     std::uint32_t index) {
  const varyings::Slot slot = leaf.slot_of(index);
  const auto given = state.attribute_formats.find(slot.location);
  if (given == state.attribute_formats.end() || leaf.scalar.width != 32 || slot.location >= 64) return std::nullopt;
  const auto format = state::find_format(given->second);
  if (!format || slot.component > 3) return std::nullopt;
  std::optional<Range> range = range_of(*format, slot.component);
  // Half precision holds the ends of normalized numbers, not those of others.
  if (leaf.relaxed_precision && range && (range->high != 1)) return std::nullopt;
  if (range) range->from = std::uint64_t{1} << slot.location;
  return range;
}

Formats formats_at(const state::PipelineState& state, std::uint64_t locations) {
  Formats formats;
  for (const auto& [location, format] : state.attribute_formats)
    if (location < 64 && (locations >> location & 1) != 0) formats.emplace(location, format);
  return formats;
}

}  // namespace

DecidedByAttributes decide_by_attribute_ranges(spirv::Module& module, const varyings::Entry& entry,
                                               const state::PipelineState& state) {
  if (entry.stage != Stage::vertex || state.attribute_formats.empty()) return {};
  FoundRanges found = walk_ranges(module, entry, [&](const varyings::Leaf& leaf, std::uint32_t index) {
    return attribute_range(state, leaf, index);
  });
  return {formats_at(state, found.decided_by), std::move(found.outputs)};
}

Formats decide_by_flat_inputs(spirv::Module& module, const varyings::Entry& entry,
                              const std::map<varyings::Slot, Range>& outputs, const state::PipelineState& state) {
  if (entry.stage != Stage::fragment || outputs.empty()) return {};
  const auto flat_range = [&](const varyings::Leaf& leaf, std::uint32_t index) -> std::optional<Range> {
    if (!leaf.interpolation.flat || leaf.per_primitive || leaf.relaxed_precision || leaf.scalar.width != 32)
      return std::nullopt;
    const auto found = outputs.find(leaf.slot_of(index));
    return found == outputs.end() ? std::nullopt : std::optional<Range>(found->second);
  };
  return formats_at(state, walk_ranges(module, entry, flat_range).decided_by);
}

}  // namespace varylink::specialize_state
