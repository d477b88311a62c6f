// Components that a fragment shader may compute instead of getting them: from others that cross, and from uniforms and
// constants that it has itself. Passes that reduce sums and choices share this code.
#pragma once

#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "link/model/pipeline.h"
#include "link/values/reachable_resources.h"
#include "link/values/read_producers.h"

namespace varylink::passes {

// A component that the consumer computes: an expression over values that cross and values it has itself.
struct RebuiltInput {
  varyings::Slot slot;
  graph::ValueId expression = graph::kNoValue;
  std::map<graph::ValueId, varyings::Slot> from;  // operands of the expression that cross
};

// One producer and one fragment shader, between which float arithmetic may change places.
bool may_rebuild_inputs(const link::Link& link);

// "the next stage computes it from 0.x and 0.y", with slots as the input modules declared them.
std::string reason_for(const link::Link& link, const RebuiltInput& input);

// The components of one interface with one producer and one fragment shader. Refers to both modules.
class RebuildableInputs {
 public:
  // Components that may be combined: interpolated alike, of one type, stored together.
  using Class = std::tuple<varyings::Interpolation, varyings::ScalarType, graph::StorePointSetId>;
  struct Row {
    varyings::Slot slot;
    graph::ValueId value = graph::kNoValue;
    bool stays = false;    // other rows may be computed from it, not the other way round
    bool relaxed = false;  // a row that is not is never computed from it
  };

  // Refers to its arguments.
  RebuildableInputs(const link::Link& link, link::ReadProducers& read, const link::LinkOptions& options);

  graph::ValueGraph& graph() { return graph_; }
  const graph::ValueGraph& graph() const { return graph_; }
  const link::ProducerValues& producer() const { return producer_; }
  const std::map<Class, std::vector<Row>>& classes() const { return classes_; }

  // The consumer can compute the value by itself.
  bool is_rematerializable(graph::ValueId value);
  // The expression costs less than the component is worth (graph/value_cost.h).
  bool is_worth_it(const RebuiltInput& input);
  // Uniforms and push constants that the consumer reads for these. Owned by the graph.
  std::vector<const graph::Value*> resources_of(const std::vector<RebuiltInput>& inputs) const;

 private:
  void find_rows(bool crosses_discontinuities);
  bool has_no_contraction_operation(graph::ValueId value) const;
  template <typename Act>
  void visit(const RebuiltInput& input, Act act) const;

  const link::Link& link_;
  graph::ValueGraph& graph_;
  const link::ProducerValues& producer_;
  const link::PipelineLayout* layout_;  // may be null
  const analysis::CostProfile& profile_;
  double uniform_limit_;  // per component (graph/value_cost.h)
  link::ReachableResources resources_;
  std::map<Class, std::vector<Row>> classes_;
  std::vector<bool> rematerializable_;  // by value, as far as was asked: the consumer can compute it
};

// Computes the inputs at the start of the consumer and gives them to whoever loaded them. Inputs that cross as they
// did are still loaded, those of `inputs` are gone, except where one is computed from what now crosses in its own slot.
// False if something that an expression needs is not to be had: the pass must fail.
bool rebuild_inputs(link::LinkedStage& consumer, const std::vector<RebuiltInput>& inputs,
                    const RebuildableInputs& components);

}  // namespace varylink::passes
