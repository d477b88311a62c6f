// Which components of an interface are to be computed from others, and how.
#pragma once

#include <optional>
#include <vector>

#include "graph/affine_basis.h"
#include "passes/affine/rebuildable_inputs.h"

namespace varylink::passes {

// One producer, one fragment shader. Refers to both modules.
class AffinePlanner {
 public:
  // Refers to its arguments.
  AffinePlanner(const link::Link& link, link::ReadProducers& read, const link::LinkOptions& options)
      : components_(link, read, options) {}

  // In the order of slots. `may_change` is asked once for each.
  template <typename MayChange>
  std::vector<RebuiltInput> run(MayChange may_change) {
    std::vector<RebuiltInput> result;
    for (RebuiltInput& input : candidates())
      if (may_change()) result.push_back(std::move(input));
    return result;
  }

  const RebuildableInputs& components() const { return components_; }

 private:
  using Row = RebuildableInputs::Row;

  std::vector<RebuiltInput> candidates();
  template <typename Number>
  void reduce(varyings::ScalarType type, std::vector<Row> rows, std::vector<RebuiltInput>& result);
  template <typename Number>
  void keep_dependent(std::vector<Row>& rows, const graph::AffineForms<Number>& forms) const;
  template <typename Number>
  std::vector<graph::Monomial> factors_of(const std::vector<Row>& rows, const graph::AffineForms<Number>& forms) const;
  template <typename Number>
  std::optional<RebuiltInput> rebuild(const Row& row, const std::vector<Row>& sent, varyings::ScalarType type,
                                      const graph::AffineSum<Number>& sum);

  RebuildableInputs components_;
};

}  // namespace varylink::passes
