#include "passes/densify_arrays.h"

#include <algorithm>
#include <set>

#include "graph/value_cost.h"
#include "varyings/lower/dense_array.h"

namespace varylink::passes {
namespace {

using link::LinkedStage;
using varyings::DenseShape;
using varyings::Direction;
using varyings::Varying;

// Outputs of control and mesh stages are memory: two invocations may store two elements at once, and not two components
// of one vector (rule ).
bool stores_alone(Stage stage) {
  return stage == Stage::vertex || stage == Stage::tess_eval || stage == Stage::geometry;
}

// Nothing else is in its locations: beside a wider array there is no place (rule ).
bool is_alone(const std::vector<Varying>& varyings, const Varying& array) {
  return std::none_of(varyings.begin(), varyings.end(), [&](const Varying& other) {
    return other.slot != array.slot && other.slot.location < array.slot.location + array.location_count &&
           array.slot.location < other.slot.location + other.location_count;
  });
}

double cost_of(const analysis::CostProfile& profile, const varyings::IndexWork& work) {
  using analysis::OpClass;
  return work.basic * profile[OpClass::basic].cost + work.multiplications * profile[OpClass::integer_multiply].cost;
}

// The work on indices costs no more than a component is worth for each location saved (rule ).
bool pays(const link::Link& link, const analysis::CostProfile& profile, const Varying& output, const Varying& input,
          const DenseShape& shape) {
  const LinkedStage &producer = *link.producers.front(), &consumer = *link.consumers.front();
  const double share = link.consumer_interpolates() ? 1 / std::max(profile.fragments_per_vertex, 1.0) : 1;
  const double work =
      cost_of(profile, index_work(consumer.module, consumer.stage, Direction::input, input, shape)) +
      share * cost_of(profile, index_work(producer.module, producer.stage, Direction::output, output, shape));
  return work <= graph::kOperationsPerComponent * (shape.length - shape.rows);
}

bool is_run(const link::Link& link, const link::LinkOptions& options) {
  const bool is_chosen = options.passes.empty() || std::find(options.passes.begin(), options.passes.end(),
                                                             "densify-arrays") != options.passes.end();
  return is_chosen && !link.is_shared() && link.closed && !link.consumers.empty() &&
         stores_alone(link.producers.front()->stage);
}

}  // namespace

std::vector<std::pair<varyings::Slot, DenseShape>> dense_shapes(const link::Link& link,
                                                                const link::LinkOptions& options) {
  std::vector<std::pair<varyings::Slot, DenseShape>> shapes;
  if (!is_run(link, options)) return shapes;
  const LinkedStage &producer = *link.producers.front(), &consumer = *link.consumers.front();
  for (const Varying& input : consumer.inputs) {
    const Varying* output = link::find_varying(producer.outputs, input.slot);
    if (!output || !is_alone(producer.outputs, *output) || !is_alone(consumer.inputs, input)) continue;
    const auto shape = varyings::dense_shape(consumer.module, consumer.stage, Direction::input, input);
    if (!shape || shape != varyings::dense_shape(producer.module, producer.stage, Direction::output, *output)) continue;
    if (pays(link, options.profile, *output, input, *shape)) shapes.emplace_back(input.slot, *shape);
  }
  return shapes;
}

Result<Progress> densify_arrays(link::Link& link, PassContext& context) {
  Progress progress = Progress::none;
  for (const auto& [slot, shape] : dense_shapes(link, context.options())) {
    if (!context.spend_fuel()) continue;
    LinkedStage &producer = *link.producers.front(), &consumer = *link.consumers.front();
    varyings::make_dense(consumer.module, consumer.entry, Direction::input, shape,
                         *link::find_varying(consumer.inputs, slot));
    varyings::make_dense(producer.module, producer.entry, Direction::output, shape,
                         *link::find_varying(producer.outputs, slot));
    progress = Progress::both;
  }
  return progress;
}

}  // namespace varylink::passes
