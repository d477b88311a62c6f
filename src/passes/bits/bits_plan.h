// Which components of an interface share the bits of a word.
#pragma once

#include <map>
#include <tuple>
#include <vector>

#include "link/values/producer_values.h"
#include "passes/bits/bit_fields.h"
#include "passes/bits/small_value.h"

namespace varylink::passes {

struct PackedValue {
  SmallValue value;
  BitField place;
};

struct PackedWord {
  std::vector<PackedValue> values;  // from bit 0 on; two at least
  graph::SiteSetId sites = graph::kNoSites;
  varyings::Slot slot() const { return values.front().place.slot; }  // whose place the word takes
};

// One producer, one consumer. Refers to both modules.
class BitsPlanner {
 public:
  explicit BitsPlanner(const link::Link& link);

  // The words that pay, in the order of their slots.
  std::vector<PackedWord> run();

  const link::ProducerValues& producer() const { return producer_; }
  // What the producer stores to a slot of a word, one store per site.
  const std::vector<link::SlotStore>& stores(varyings::Slot slot) const { return table_.find(slot)->stores; }

 private:
  // Values that may share a word: of one interpolation class, stored together.
  using Class = std::tuple<varyings::Interpolation, bool, bool, graph::SiteSetId>;

  bool is_candidate(const varyings::Varying& input, const varyings::Varying& output) const;
  bool has_bits_of_halves(varyings::ScalarKind kind) const;
  std::optional<SmallValue> judge(varyings::ScalarType type, graph::ValueId value);
  graph::ValueRange leaf_range(graph::ValueId leaf);
  graph::ValueRange phi_range(spirv::InstRef phi, std::uint32_t component, varyings::ScalarType type);

  const link::Link& link_;
  const spirv::Module& producer_module_;
  graph::ValueGraph graph_;
  link::ProducerValues producer_;
  link::StoreTable table_;
  graph::ValueRanges ranges_;
  std::uint32_t depth_ = 0;  // of phis inside phis
};

}  // namespace varylink::passes
