// Which components of an interface are to be computed from others, and how.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <tuple>
#include <vector>

#include "graph/affine_basis.h"
#include "link/producer_values.h"
#include "link/reachable_resources.h"

namespace varylink::passes {

// A component that the consumer computes: an expression over values that arrive and values it has itself.
struct RebuiltInput {
  io::Slot slot;
  graph::ValueId expression = graph::kNoValue;
  std::map<graph::ValueId, io::Slot> from;  // operands of the expression that arrive
};

// One producer, one fragment shader. Refers to both modules.
class AffinePlanner {
 public:
  // `layout` may be null; it must outlive this object. `keep_jumps`: what ends in a discontinuity stays as it is.
  AffinePlanner(const link::Link& link, bool keep_jumps, const link::PipelineLayout* layout);

  // In the order of slots. `may_change` is asked once for each.
  template <typename MayChange>
  std::vector<RebuiltInput> run(MayChange may_change) {
    std::vector<RebuiltInput> result;
    for (RebuiltInput& input : candidates())
      if (may_change()) result.push_back(std::move(input));
    return result;
  }

  const graph::ValueGraph& graph() const { return graph_; }
  // Uniforms and push constants that the consumer reads for these. Owned by the graph.
  std::vector<const graph::Value*> resources_of(const std::vector<RebuiltInput>& inputs) const;

 private:
  // Components that may be combined: interpolated alike, of one type, stored together.
  using Class = std::tuple<io::Interpolation, io::ScalarType, graph::SiteSetId>;
  struct Row {
    io::Slot slot;
    graph::ValueId value = graph::kNoValue;
    bool stays = false;  // other rows may be computed from it, not the other way round
    bool relaxed = false;
  };

  void find_rows(bool keep_jumps);
  bool has_exact_operation(graph::ValueId value) const;
  bool is_free(graph::ValueId value);
  std::vector<RebuiltInput> candidates();
  template <typename Number>
  void reduce(io::ScalarType type, std::vector<Row> rows, std::vector<RebuiltInput>& result);
  template <typename Number>
  std::vector<graph::Monomial> factors_of(const std::vector<Row>& rows, const graph::AffineForms<Number>& forms) const;
  template <typename Number>
  std::optional<RebuiltInput> rebuild(const Row& row, const std::vector<Row>& sent, io::ScalarType type,
                                      const graph::AffineSum<Number>& sum);
  bool is_worth_it(const RebuiltInput& input);
  template <typename Act>
  void visit(const RebuiltInput& input, Act act) const;

  const link::Link& link_;
  graph::ValueGraph graph_;
  std::unique_ptr<link::ProducerValues> producer_;
  const link::PipelineLayout* layout_;
  link::ReachableResources resources_;
  std::map<Class, std::vector<Row>> classes_;
  std::vector<std::int8_t> free_;  // by value: 1 the consumer can compute it, 0 it cannot, -1 not asked yet
};

}  // namespace varylink::passes
