// Takes down the values of an interface before and after linking.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "graph/value.h"
#include "link/model/link.h"
#include "report/flow/value_flow.h"

namespace varylink::link {
class ConsumerValues;
}

namespace varylink::report {

// One interface with one producer and one consumer. Looks at it twice, while it is in scalarized form; equal values are
// recognised, since ids of values that stay do not change. In the consumer only values that could be computed on either
// side are followed, in the producer the values that its outputs are made of.
class ValueFlowRecorder {
 public:
  // Before the first pass.
  void before(const link::Link& link);
  // After the last pass; the places of everything that is left are known.
  void after(const link::Link& link);

  // The recorded flow; call once, after both.
  ValueFlow take();

 private:
  using Sides = ValueFlow::Sides;
  using Values = std::set<graph::ValueId>;

  // One look at the interface.
  struct Look {
    std::map<varyings::Slot, graph::ValueId> component;  // by present slot, as far as they are known
    std::vector<Sides> sides;                            // by value
  };

  Look look_at(const link::Link& link);
  Values all_below(Values open, const Values& stop) const;
  void note_uses(const link::LinkedStage& consumer, const link::ConsumerValues& values);
  void name_leaves(const link::LinkedStage& producer);
  void name_resources(const spirv::Module& module);
  std::string label_of(graph::ValueId value) const;
  std::string expression(graph::ValueId value, int depth) const;
  std::uint32_t node_of(graph::ValueId value);

  graph::ValueGraph graph_;
  Look before_, after_;
  std::map<graph::ValueId, std::string> names_;  // of leaves and resources, as far as there are any
  std::map<graph::ValueId, std::set<std::string>> uses_;
  std::map<graph::ValueId, std::uint32_t> index_;  // position among the nodes
  std::vector<link::ComponentRecord> records_;     // as declared, with their outcomes
  ValueFlow flow_;
};

}  // namespace varylink::report
