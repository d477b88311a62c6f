#include "passes/repack_arrays.h"

#include <algorithm>
#include <string_view>

#include "graph/value_cost.h"
#include "varyings/reflect/output_owner.h"
#include "varyings/vectorize/dense_array.h"

namespace varylink::passes {
namespace {

using link::LinkedStage;
using varyings::DenseShape;
using varyings::Direction;
using varyings::Varying;

varyings::DenseForm form_of(const link::LinkOptions& options) {
  return options.portable ? varyings::DenseForm::portable : varyings::DenseForm::vulkan;
}

// Nothing else is in its locations: beside a wider array there is no place (rule ).
bool is_alone_among(const std::vector<Varying>& varyings, const Varying& array) {
  return std::none_of(varyings.begin(), varyings.end(), [&](const Varying& other) {
    return other.slot != array.slot && other.slot.location < array.slot.location + array.location_count &&
           array.slot.location < other.slot.location + other.location_count;
  });
}

bool is_alone(const link::Link& link, const Varying& output, const Varying& input) {
  return is_alone_among(link.producers.front()->outputs, output) &&
         is_alone_among(link.consumers.front()->inputs, input);
}

// The first location behind all varyings.
std::uint32_t end_of_locations(const link::Link& link) {
  std::uint32_t end = 0;
  const auto add = [&](const std::vector<Varying>& varyings) {
    for (const Varying& varying : varyings) end = std::max(end, varying.slot.location + varying.location_count);
  };
  for (const LinkedStage* producer : link.producers) add(producer->outputs);
  for (const LinkedStage* consumer : link.consumers) add(consumer->inputs);
  return end;
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

// Two invocations may store two elements at once, and not two components of one vector (rule ).
bool is_run(const link::Link& link, const link::LinkOptions& options) {
  return is_chosen(options, "repack-arrays") && !link.is_shared() && link.closed && !link.consumers.empty() &&
         varyings::has_private_outputs(link.producers.front()->stage);
}

// With --portable nothing stays beside it where locations are assigned.
bool has_place(const link::Link& link, const link::LinkOptions& options, const Varying& output, const Varying& input) {
  return is_alone(link, output, input) || (options.portable && is_chosen(options, "assign-locations"));
}

}  // namespace

std::vector<std::pair<varyings::Slot, DenseShape>> dense_shapes(const link::Link& link,
                                                                const link::LinkOptions& options) {
  std::vector<std::pair<varyings::Slot, DenseShape>> shapes;
  if (!is_run(link, options)) return shapes;
  const varyings::DenseForm form = form_of(options);
  const LinkedStage &producer = *link.producers.front(), &consumer = *link.consumers.front();
  for (const Varying& input : consumer.inputs) {
    if (input.form != Varying::Form::unsplit) continue;
    const Varying* output = link::find_varying(producer.outputs, input.slot);
    if (!output || !has_place(link, options, *output, input)) continue;
    const auto shape = varyings::dense_shape(consumer.module, consumer.stage, Direction::input, form, input);
    if (!shape || shape != varyings::dense_shape(producer.module, producer.stage, Direction::output, form, *output))
      continue;
    if (pays(link, options.profile, *output, input, *shape)) shapes.emplace_back(input.slot, *shape);
  }
  return shapes;
}

Result<Progress> repack_arrays(link::Link& link, PassContext& context) {
  const varyings::DenseForm form = form_of(context.options());
  Progress progress = Progress::none;
  std::uint32_t end = end_of_locations(link);
  for (const auto& [slot, shape] : dense_shapes(link, context.options())) {
    if (!context.spend_fuel()) continue;
    LinkedStage &producer = *link.producers.front(), &consumer = *link.consumers.front();
    Varying& output = *link::find_varying(producer.outputs, slot);
    Varying& input = *link::find_varying(consumer.inputs, slot);
    std::optional<std::uint32_t> location;
    if (!is_alone(link, output, input)) {
      location = end;
      end += shape.rows;
    }
    varyings::make_dense(consumer.module, consumer.entry, Direction::input, shape, form, location, input);
    varyings::make_dense(producer.module, producer.entry, Direction::output, shape, form, location, output);
    progress = Progress::both;
  }
  return progress;
}

}  // namespace varylink::passes
