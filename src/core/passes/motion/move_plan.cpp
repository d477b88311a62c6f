#include "passes/motion/move_plan.h"

#include <algorithm>
#include <numeric>

#include "analysis/cost_profile.h"
#include "base/seeded_fault.h"
#include "graph/value_cost.h"
#include "spirv/ir/operations.h"

namespace varylink::passes {
namespace {

using graph::InterfaceValue;
using graph::kConvergentClass;
using graph::kFirstInterpolatedClass;
using graph::Value;
using graph::ValueId;
using graph::ValueKind;
using graph::VertexCut;
using link::find_varying;
using varyings::Slot;

// Booleans cross as integers, which the consumer compares with 0.
constexpr double kUnpackBoolean = 1;
bool is_number(varyings::ScalarType type) {
  const bool is_double = type == varyings::ScalarType{varyings::ScalarKind::floating, 64};
  return is_double || (type.width == 32 && type.kind != varyings::ScalarKind::boolean);
}

// Components that it takes on an interface.
int components_of(varyings::ScalarType type) { return type.width == 64 ? 2 : 1; }

}  // namespace

std::uint32_t MovePlanner::location_estimate(const Census& census) {
  std::uint32_t locations = 0;
  for (const auto& [kind, count] : census) locations += static_cast<std::uint32_t>((count + 3) / 4);
  return locations;
}

bool MovePlanner::has_sample_input(const Census& census) {
  return std::any_of(census.begin(), census.end(),
                     [](const auto& entry) { return entry.first.interpolation.sample && entry.second > 0; });
}

MovePlanner::MovePlanner(const link::Link& link, const link::LinkOptions& options)
    : link_(link),
      producer_(std::make_unique<link::ProducerValues>(*link.producers.front(), graph_)),
      layout_(options.layout ? &*options.layout : nullptr),
      profile_(options.profile),
      uniform_limit_(graph::uniform_cost_limit(profile_, link.report.consumer)),
      producer_resources_(*link.producers.front(), layout_),
      consumer_resources_(*link.consumers.front(), layout_) {
  const bool crosses_discontinuities = options.moves_discontinuous() || seeded_fault("move-ignores-discontinuities");
  consumer_ = std::make_unique<link::ConsumerValues>(link, graph_, *producer_, crosses_discontinuities, layout_);
  for (const varyings::Varying& input : link.consumers.front()->inputs)
    if (input.form == varyings::Varying::Form::scalar && !input.proxy)
      census_[kind_of(input)] += components_of(input.scalar);
    else
      samples_anyway_ = samples_anyway_ || input.is_per_sample();
  judge_values();
  build_network();
  if (network_.solve() >= VertexCut::kUncuttable) return;
  number_parts();
}

// Values that the consumer computes today: operands of its sinks, down to the values that cross.
std::vector<bool> MovePlanner::computed_by_consumer() const {
  std::vector<bool> computed(graph_.size(), false), crosses(graph_.size(), false);
  for (const auto& [slot, what] : consumer_->inputs()) crosses[what.value] = true;
  std::vector<ValueId> open;
  for (const link::Sink& sink : consumer_->sinks())
    for (std::size_t i = 0; i < sink.components.size(); ++i)
      if (sink.used[i]) open.push_back(sink.components[i].what.value);
  while (!open.empty()) {
    const ValueId value = open.back();
    open.pop_back();
    if (computed[value] || crosses[value]) continue;
    computed[value] = true;
    open.insert(open.end(), graph_[value].operands.begin(), graph_[value].operands.end());
  }
  return computed;
}

// Ascending order: operands first.
void MovePlanner::judge_values() {
  const std::size_t count = graph_.size();
  computed_already_ = computed_by_consumer();
  // A consumer that interpolates runs so often that work too costly for it is worth moving to the producer all the
  // same.
  const bool goes_on = !link_.consumer_interpolates();
  rematerializable_.assign(count, false);
  sendable_.assign(count, true);
  cost_.assign(count, 0);
  convergent_.assign(count, false);
  uniform_.assign(count, false);
  std::vector<double> total(count, 0);
  for (ValueId id = 0; id < count; ++id) {
    const Value& value = graph_[id];
    const auto all = [&](const std::vector<bool>& property) {
      return std::all_of(value.operands.begin(), value.operands.end(),
                         [&](ValueId operand) { return property[operand]; });
    };
    cost_[id] = cost_of(profile_, value);
    total[id] = cost_[id];
    for (const ValueId operand : value.operands) total[id] += total[operand];
    switch (value.kind) {
      case ValueKind::constant: rematerializable_[id] = consumer_resources_.can_evaluate(value); break;
      case ValueKind::resource:
        judge_resource(id);
        sendable_[id] = sendable_[id] && all(sendable_);
        rematerializable_[id] = rematerializable_[id] && all(rematerializable_);
        break;
      case ValueKind::specialization:
        sendable_[id] = producer_resources_.has(value) || producer_resources_.can_evaluate(value);
        rematerializable_[id] = consumer_resources_.can_evaluate(value);
        break;
      case ValueKind::operation:
        sendable_[id] = all(sendable_);
        rematerializable_[id] = all(rematerializable_) && consumer_resources_.can_evaluate(value) &&
                                (total[id] <= uniform_limit_ || !sendable_[id] || (goes_on && computed_already_[id]));
        break;
      default: break;
    }
    convergent_[id] = consumer_->is_convergent(id);
    uniform_[id] = value.kind == ValueKind::constant || value.kind == ValueKind::resource ||
                   value.kind == ValueKind::specialization || (value.kind == ValueKind::operation && all(uniform_));
  }
}

// Push constants are one thing in both stages only if the layout says so. Else only those of the producer are followed.
void MovePlanner::judge_resource(ValueId id) {
  const bool is_shared = is_same_resource(graph_[id], link_.report.producer, link_.report.consumer, layout_);
  sendable_[id] = producer_resources_.can_read(graph_[id]);
  rematerializable_[id] = is_shared && consumer_resources_.can_read(graph_[id]);
}

InterfaceValue MovePlanner::interface_value(ValueId value, const InterfaceValue& like) {
  return {value, convergent_[value] ? kConvergentClass : like.interpolation_class, like.store_points};
}

bool MovePlanner::is_rematerializable(const InterfaceValue& what) const { return rematerializable_[what.value]; }

std::vector<InterfaceValue> MovePlanner::operands_of(const InterfaceValue& what) {
  std::vector<InterfaceValue> operands;
  for (const ValueId operand : graph_[what.value].operands) operands.push_back(interface_value(operand, what));
  return operands;
}

// Some input has the value, and each that has it is flat.
bool MovePlanner::crosses_flat(const InterfaceValue& what) const {
  bool is_flat = false;
  for (const auto& [slot, present] : consumer_->inputs()) {
    if (present != what) continue;
    is_flat = find_varying(link_.consumers.front()->inputs, slot)->interpolation.flat;
    if (!is_flat) return false;
  }
  return is_flat;
}

// A float that all vertices have alike may come interpolated, with another last bit, which is enough for a comparison
// or a conversion to go the other way (rule ), where the consumer did not decide by it before.
bool MovePlanner::needs_exact_bits(const InterfaceValue& what) {
  const Value& value = graph_[what.value];
  if (!link_.consumer_interpolates() || seeded_fault("move-decides-by-interpolated-bits")) return false;
  if (computed_already_[what.value]) return false;
  const bool is_smooth =
      spirv::row_of(value.op, value.glsl).is(spirv::kSmooth) && value.type.kind == varyings::ScalarKind::floating;
  if (is_smooth) return false;
  return std::any_of(value.operands.begin(), value.operands.end(), [&](ValueId operand) {
    if (graph_[operand].type.kind != varyings::ScalarKind::floating || rematerializable_[operand]) return false;
    const InterfaceValue crossing = interface_value(operand, what);
    return crossing.interpolation_class == kConvergentClass && !crosses_flat(crossing);
  });
}

bool MovePlanner::is_decomposable(const InterfaceValue& what) {
  const Value& value = graph_[what.value];
  if (value.kind != ValueKind::operation || consumer_->non_movable().count(what) != 0) return false;
  if (!consumer_resources_.can_evaluate(value) || needs_exact_bits(what)) return false;
  std::vector<bool> convergent;
  bool all_rematerializable = true;
  for (const ValueId operand : value.operands) {
    convergent.push_back(convergent_[operand] || uniform_[operand]);
    all_rematerializable = all_rematerializable && rematerializable_[operand];
  }
  // Rematerializable operands, but not itself: too expensive for the consumer.
  return !all_rematerializable && graph::commutes(value, what.interpolation_class, convergent);
}

// Interpolated values are floats (rule ).
bool MovePlanner::is_transportable(const InterfaceValue& what) const {
  const varyings::ScalarType type = graph_[what.value].type;
  if (!sendable_[what.value]) return false;
  if (what.interpolation_class >= kFirstInterpolatedClass)
    return type == varyings::ScalarType{varyings::ScalarKind::floating, 32};
  return is_number(type) || type.kind == varyings::ScalarKind::boolean;
}

void MovePlanner::build_network() {
  std::vector<InterfaceValue> open(consumer_->non_movable().begin(), consumer_->non_movable().end());
  for (const link::Sink& sink : consumer_->sinks())
    for (std::size_t i = 0; i < sink.components.size(); ++i)
      if (sink.used[i]) open.push_back(sink.components[i].what);
  wanted_.insert(open.begin(), open.end());
  std::erase_if(wanted_, [&](const InterfaceValue& what) { return is_rematerializable(what); });
  open.assign(wanted_.begin(), wanted_.end());
  const auto node_of = [&](const InterfaceValue& what) {
    const auto [entry, is_new] = index_.try_emplace(what, 0);
    if (is_new) {
      entry->second = network_.add_node(is_transportable(what)
                                            ? static_cast<VertexCut::Capacity>(components_of(graph_[what.value].type))
                                            : VertexCut::kUncuttable);
      nodes_.push_back(what);
      open.push_back(what);
    }
    return entry->second;
  };
  const std::vector<InterfaceValue> sinks = open;
  open.clear();
  for (const InterfaceValue& sink : sinks) network_.add_sink(node_of(sink));
  while (!open.empty()) {
    const InterfaceValue what = open.back();
    open.pop_back();
    const VertexCut::Node node = index_.at(what);
    if (!is_decomposable(what)) {
      network_.add_source(node);
      continue;
    }
    for (const InterfaceValue& operand : operands_of(what))
      if (!is_rematerializable(operand)) network_.add_edge(node_of(operand), node);
  }
}

void MovePlanner::number_parts() {
  std::vector<std::size_t> parent(nodes_.size());
  std::iota(parent.begin(), parent.end(), 0);
  const auto find = [&](std::size_t node) {
    while (parent[node] != node) node = parent[node] = parent[parent[node]];
    return node;
  };
  for (std::size_t node = 0; node < nodes_.size(); ++node)
    if (is_decomposable(nodes_[node]))
      for (const InterfaceValue& operand : operands_of(nodes_[node]))
        if (!is_rematerializable(operand)) parent[find(index_.at(operand))] = find(node);
  std::map<std::size_t, std::size_t> number;
  for (std::size_t node = 0; node < nodes_.size(); ++node)
    part_of_.push_back(number.try_emplace(find(node), number.size()).first->second);
  parts_.resize(number.size());
  for (const VertexCut::Node node : network_.cut_near_sinks()) parts_[part_of_[node]].near_sinks.insert(nodes_[node]);
  for (const VertexCut::Node node : network_.cut_near_sources())
    parts_[part_of_[node]].near_sources.insert(nodes_[node]);
  for (const InterfaceValue& what : wanted_) parts_[part_of_[index_.at(what)]].wanted.push_back(what);
  for (const auto& [slot, what] : consumer_->inputs())
    if (const auto node = index_.find(what); node != index_.end())
      parts_[part_of_[node->second]].slots.emplace(slot, what);
}

// Work of the consumer from the values that are sent up to what it needs.
MovePlanner::Work MovePlanner::consumer_cost(std::size_t part, const Set& sent) {
  Set seen;
  std::vector<InterfaceValue> open = parts_[part].wanted;
  Work work;
  while (!open.empty()) {
    const InterfaceValue what = open.back();
    open.pop_back();
    if (!seen.insert(what).second) continue;
    if (sent.count(what) != 0) {
      if (graph_[what.value].type.kind == varyings::ScalarKind::boolean) work.varying += kUnpackBoolean;
      continue;
    }
    (uniform_[what.value] ? work.uniform : work.varying) += cost_[what.value];
    const std::vector<InterfaceValue> operands = operands_of(what);
    open.insert(open.end(), operands.begin(), operands.end());
  }
  return work;
}

double MovePlanner::producer_cost(const Set& sent) const {
  std::vector<ValueId> values;
  for (const InterfaceValue& what : sent) values.push_back(what.value);
  double cost = 0;
  for (const ValueId part : parts_of(graph_, values)) cost += cost_[part];
  return cost;
}

// Fewer values cross as they were stored, and more are interpolated.
bool MovePlanner::interpolates_more(const Set& before, const Set& after) {
  const auto no_contraction = [](const Set& sent) {
    return std::count_if(sent.begin(), sent.end(),
                         [](const InterfaceValue& what) { return what.interpolation_class < kFirstInterpolatedClass; });
  };
  return no_contraction(after) < no_contraction(before);
}

bool MovePlanner::pays(std::size_t part, const Set& before, std::size_t components_before, const Set& after) {
  std::size_t components_after = 0;
  for (const InterfaceValue& what : after) components_after += components_of(graph_[what.value].type);
  if (after == before || components_after > components_before) return false;
  const Work work_before = consumer_cost(part, before), work_after = consumer_cost(part, after);
  const double varying = work_after.varying - work_before.varying, uniform = work_after.uniform - work_before.uniform;
  if (components_after < components_before) {
    const auto saved = static_cast<double>(components_before - components_after);
    return varying <= graph::kOperationsPerComponent * saved && uniform <= uniform_limit_ * saved;
  }
  // x + |x|, say, would not be 0 any more for an x below 0 if a constant that is added moved into one of the two.
  if (interpolates_more(before, after)) return false;
  const double added = varying + uniform;
  const double moved = producer_cost(after) - producer_cost(before);
  return link_.consumer_interpolates() && added < 0 && moved <= -added * profile_.fragments_per_vertex;
}

std::optional<Motion> MovePlanner::best_motion(std::size_t part) {
  // Near the sinks most work is done by the producer, which runs less often than a fragment shader, or than the
  // evaluation shader behind a tessellator.
  std::vector<const Set*> cuts = {&parts_[part].near_sinks, &parts_[part].near_sources};
  if (!link_.consumer_interpolates() && link_.report.producer != Stage::tess_control) std::swap(cuts[0], cuts[1]);
  for (const Set* cut : cuts)
    if (std::optional<Motion> motion = motion_to(part, *cut)) return motion;
  return std::nullopt;
}

std::optional<Motion> MovePlanner::motion_to(std::size_t part, const Set& after) {
  const std::map<Slot, InterfaceValue>& slots = parts_[part].slots;
  Set before;
  std::size_t components = 0;
  for (const auto& [slot, what] : slots) {
    before.insert(what);
    components += components_of(graph_[what.value].type);
  }
  if (!pays(part, before, components, after)) return std::nullopt;
  Motion motion;
  Set missing = after;
  for (const auto& [slot, what] : slots)
    if (missing.erase(what) == 0) motion.gone.push_back(slot);
  std::vector<Slot> vacant = motion.gone;
  for (const InterfaceValue& what : missing) {
    std::optional<MovedValue> moved = place_for(what, motion.gone, vacant);
    if (!moved) return std::nullopt;
    motion.moved.push_back(std::move(*moved));
  }
  if (!is_allowed(motion)) return std::nullopt;
  return motion;
}

// Something of either stage keeps a place there: a location has one width (Vulkan, "Location Assignment").
bool MovePlanner::stays_in(std::uint32_t location, const std::vector<Slot>& gone) const {
  const auto stays = [&](const varyings::Varying& varying) {
    return varying.slot.location <= location && location < varying.slot.location + varying.location_count &&
           std::find(gone.begin(), gone.end(), varying.slot) == gone.end();
  };
  const auto any = [&](const std::vector<varyings::Varying>& list) {
    return std::any_of(list.begin(), list.end(), stays);
  };
  return any(link_.consumers.front()->inputs) || any(link_.producers.front()->outputs);
}

// Takes a slot out of `vacant`, best one of the same interpolation class. All slots of a part are stored at the same
// places, so that they agree in what they belong to: vertex, primitive, or patch.
std::optional<MovedValue> MovePlanner::place_for(const InterfaceValue& what, const std::vector<Slot>& gone,
                                                 std::vector<Slot>& vacant) const {
  const std::vector<varyings::Varying>& inputs = link_.consumers.front()->inputs;
  varyings::Interpolation wanted;
  const bool interpolated = what.interpolation_class >= kFirstInterpolatedClass;
  const bool is_float = graph_[what.value].type.kind == varyings::ScalarKind::floating;
  if (interpolated) wanted = consumer_->interpolation(what.interpolation_class);
  wanted.per_vertex = what.interpolation_class == graph::kRawVertexClass;
  wanted.flat = !interpolated && !wanted.per_vertex && link_.consumer_interpolates();
  const auto is_as_wide = [&](Slot slot) {
    const std::uint32_t width = find_varying(inputs, slot)->scalar.width, wanted_width = graph_[what.value].type.width;
    if ((width == 64) != (wanted_width == 64)) return false;
    return (width == 16) == (wanted_width == 16) || !stays_in(slot.location, gone);
  };
  const auto like = [&](Slot slot) { return is_as_wide(slot) && find_varying(inputs, slot)->interpolation == wanted; };
  // Raw values take arrays of vertices, which suit nothing else but what is equal at all of them.
  const auto suits = [&](Slot slot) {
    return is_as_wide(slot) && (what.interpolation_class == kConvergentClass ||
                                find_varying(inputs, slot)->interpolation.per_vertex == wanted.per_vertex);
  };
  auto place = std::find_if(vacant.begin(), vacant.end(), like);
  if (place == vacant.end()) place = std::find_if(vacant.begin(), vacant.end(), suits);
  if (place == vacant.end()) return std::nullopt;
  const varyings::Varying& old = *find_varying(inputs, *place);
  const bool any = what.interpolation_class == kConvergentClass || old.per_primitive;
  if (any && (is_float || old.interpolation.per_vertex)) wanted = old.interpolation;
  vacant.erase(place);
  return MovedValue{what, old.slot, wanted, old.patch, old.per_primitive};
}

void MovePlanner::count(const Motion& motion, Census& census) const {
  for (const Slot slot : motion.gone) {
    const varyings::Varying& input = *find_varying(link_.consumers.front()->inputs, slot);
    census[kind_of(input)] -= components_of(input.scalar);
  }
  for (const MovedValue& moved : motion.moved)
    census[{moved.interpolation, moved.patch, moved.per_primitive}] += components_of(graph_[moved.what.value].type);
}

// No more locations, and per-sample inputs remain if there were any: they may be what makes the fragment shader run per
// sample (rule ).
bool MovePlanner::is_allowed(const Motion& motion) const {
  Census after = census_;
  count(motion, after);
  if (has_sample_input(census_) && !has_sample_input(after) && !samples_anyway_) return false;
  return location_estimate(after) <= location_estimate(census_);
}

void MovePlanner::accept(std::size_t part, Motion motion, MovePlan& plan) {
  count(motion, census_);
  for (std::size_t i = 0; i < consumer_->sinks().size(); ++i) {
    const link::Sink& sink = consumer_->sinks()[i];
    for (std::size_t c = 0; c < sink.components.size(); ++c) {
      const auto node = index_.find(sink.components[c].what);
      if (!sink.used[c] || node == index_.end() || part_of_[node->second] != part) continue;
      if (std::find(plan.rewritten.begin(), plan.rewritten.end(), i) == plan.rewritten.end())
        plan.rewritten.push_back(i);
    }
  }
  plan.motions.push_back(std::move(motion));
}

std::map<Slot, InterfaceValue> MovePlanner::staying(const MovePlan& plan) const {
  std::map<Slot, InterfaceValue> staying = consumer_->inputs();
  for (const Motion& motion : plan.motions)
    for (const Slot slot : motion.gone) staying.erase(slot);
  return staying;
}

std::vector<const Value*> MovePlanner::resources_to_send(const MovePlan& plan) const {
  std::vector<ValueId> sent;
  for (const Motion& motion : plan.motions)
    for (const MovedValue& moved : motion.moved) sent.push_back(moved.what.value);
  std::vector<const Value*> resources;
  for (const ValueId part : parts_of(graph_, sent))
    if (graph_[part].kind == ValueKind::resource && producer_resources_.can_read(graph_[part]))
      resources.push_back(&graph_[part]);
  return resources;
}

std::vector<const Value*> MovePlanner::resources_to_receive(const MovePlan& plan) {
  Set seen;
  for (const auto& [slot, what] : staying(plan)) seen.insert(what);
  for (const Motion& motion : plan.motions)
    for (const MovedValue& moved : motion.moved) seen.insert(moved.what);
  std::vector<InterfaceValue> open;
  for (const std::size_t index : plan.rewritten) {
    const link::Sink& sink = consumer_->sinks()[index];
    for (std::size_t i = 0; i < sink.components.size(); ++i)
      if (sink.used[i]) open.push_back(sink.components[i].what);
  }
  std::vector<const Value*> resources;
  while (!open.empty()) {
    const InterfaceValue what = open.back();
    open.pop_back();
    if (!seen.insert(what).second) continue;
    if (graph_[what.value].kind == ValueKind::resource && is_rematerializable(what))
      resources.push_back(&graph_[what.value]);
    const std::vector<InterfaceValue> operands = operands_of(what);
    open.insert(open.end(), operands.begin(), operands.end());
  }
  return resources;
}

}  // namespace varylink::passes
