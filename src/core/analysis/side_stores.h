// Outputs that the sides of short selections store, which are selected between in front of the merge.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "analysis/component_nodes.h"
#include "analysis/short_selections.h"
#include "spirv/ir/cfg.h"
#include "spirv/ir/module.h"

namespace varylink::analysis {

// A stored component: the node that it comes from, or none and the constant that it is.
struct StoredValue {
  NodeId node = kNoNode;
  spirv::Id constant = 0;
  friend bool operator==(const StoredValue&, const StoredValue&) = default;
};

class SideStores {
 public:
  using Output = std::pair<spirv::Id, std::uint32_t>;  // variable and component of it

  SideStores(const spirv::Cfg& cfg, const ShortSelections& selections) : cfg_(cfg), selections_(selections) {}

  // To be told of stores in the order of the blocks; `at` is the block that the store stands in.
  void store(std::uint32_t at, Output output, StoredValue value);

  // An output that leaves the two sides with different values.
  struct Choice {
    Output output;
    StoredValue a, b;
  };
  // For a block that merges a short selection, before anything in it is told of. A store on one side alone, to an
  // output that nothing before it stores, is no choice: the other value is undefined.
  std::vector<Choice> choices_at(std::uint32_t merge);

 private:
  struct Store {
    std::uint32_t block = 0;
    Output output;
    StoredValue value;
  };

  const spirv::Cfg& cfg_;
  const ShortSelections& selections_;
  std::vector<Store> on_sides_;  // of selections that have not been merged
  std::set<Output> before_;      // stored elsewhere
};

}  // namespace varylink::analysis
