#include "analysis/side_stores.h"

#include <algorithm>
#include <array>
#include <optional>

namespace varylink::analysis {

void SideStores::store(std::uint32_t at, Output output, StoredValue value) {
  if (selections_.is_on_a_side(at))
    on_sides_.push_back({at, output, value});
  else
    before_.insert(output);
}

std::vector<SideStores::Choice> SideStores::choices_at(std::uint32_t merge) {
  const std::uint32_t header = selections_.header_of(merge);
  const std::uint32_t first_side = cfg_.successors(header).front();
  std::map<Output, std::array<std::optional<StoredValue>, 2>> last;  // by side
  const auto is_merged = [&](const Store& store) {
    return cfg_.dominates(header, store.block) && store.block != header;
  };
  for (const Store& store : on_sides_) {
    if (!is_merged(store)) continue;
    const bool is_first = first_side != merge && cfg_.dominates(first_side, store.block);
    last[store.output][is_first ? 0 : 1] = store.value;
  }
  std::erase_if(on_sides_, is_merged);
  std::vector<Choice> choices;
  for (const auto& [output, values] : last) {
    const StoredValue a = values[0].value_or(StoredValue{}), b = values[1].value_or(StoredValue{});
    const bool is_defined = (values[0] && values[1]) || before_.count(output) != 0;
    if (is_defined && a != b) choices.push_back({output, a, b});
    store(merge, output, values[0] ? a : b);
  }
  return choices;
}

}  // namespace varylink::analysis
