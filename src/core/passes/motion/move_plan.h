// Plan of code motion at one interface: the minimum cut of its value graph, component by component.
//
// In five steps:
//
// 1. Read. Both stages become one graph of scalar values (link::ProducerValues, link::ConsumerValues). A value that the
//    consumer loads is the one that the producer stored, with its interpolation on it.
// 2. Judge each value: its cost, whether the consumer can compute it without the producer, whether the producer can
//    send it, whether all vertices have the same (judge_values; rules ).
// 3. Build a network. A value that the consumer needs and cannot compute itself is a sink. An operation that may as
//    well be computed behind the interface (rules) is reached through its operands, any other value
//    is a source. A value that may cross costs its components, any other cannot be cut (rule ).
// 4. Cut. The least cut nearest to the sinks and the one nearest to the sources, in parts that have no value in common.
// 5. Choose for each part the cut that pays: less crosses, in no more locations, for no more work than that is worth
//    (rule ). The pass then rewrites both stages part by part (passes/inter_stage_code_motion.h).
#pragma once

#include <map>
#include <memory>
#include <set>
#include <vector>

#include "graph/interpolation_class.h"
#include "graph/max_flow.h"
#include "link/model/pipeline.h"
#include "link/values/consumer_values.h"
#include "link/values/producer_values.h"
#include "link/values/reachable_resources.h"

namespace varylink::passes {

// A new varying in the place of an old one.
struct MovedValue {
  graph::InterfaceValue what;
  varyings::Slot slot;
  varyings::Interpolation interpolation;  // of a fragment input
  bool patch = false;
  bool per_primitive = false;
};

// A part of the interface that changes as a whole: the values of `gone` no longer cross, those of `moved` do.
struct Motion {
  std::vector<varyings::Slot> gone;  // present slots that lose their value
  std::vector<MovedValue> moved;     // new values; each takes the slot of one that is gone
};

struct MovePlan {
  std::vector<Motion> motions;
  // Indices into ConsumerValues::sinks(): results that the consumer computes anew from the values that cross then.
  std::vector<std::size_t> rewritten;
};

// Values and cut of an interface with one producer and one consumer. Refers to both modules.
class MovePlanner {
 public:
  // `options` must outlive this object. Unless they move discontinuities, nothing moves in front of code that turns the
  // last bit into any difference (rule ).
  MovePlanner(const link::Link& link, const link::LinkOptions& options);

  // The motions that pay: fewer components, or as many with less work for the consumer; never more locations.
  // `may_change` is asked once for each.
  template <typename MayChange>
  MovePlan run(MayChange may_change) {
    MovePlan plan;
    for (std::size_t part = 0; part < parts_.size(); ++part) {
      std::optional<Motion> motion = best_motion(part);
      if (motion && may_change()) accept(part, std::move(*motion), plan);
    }
    return plan;
  }

  const graph::ValueGraph& graph() const { return graph_; }
  const link::ProducerValues& producer() const { return *producer_; }
  const link::ConsumerValues& consumer() const { return *consumer_; }
  // The operand `value` of `like` as it would cross itself.
  graph::InterfaceValue interface_value(graph::ValueId value, const graph::InterfaceValue& like);
  // Values that still cross as before, by present slot.
  std::map<varyings::Slot, graph::InterfaceValue> staying(const MovePlan& plan) const;
  // Uniforms and push constants that the producer, or the consumer, reads in code that is new there. Owned by the
  // graph.
  std::vector<const graph::Value*> resources_to_send(const MovePlan& plan) const;
  std::vector<const graph::Value*> resources_to_receive(const MovePlan& plan);

 private:
  using Set = std::set<graph::InterfaceValue>;

  // Varyings of different kinds share no location.
  struct Kind {
    varyings::Interpolation interpolation;
    bool patch = false;
    bool per_primitive = false;
    friend auto operator<=>(const Kind&, const Kind&) = default;
  };
  using Census = std::map<Kind, int>;  // components by kind

  static Kind kind_of(const varyings::Varying& varying) {
    return {varying.interpolation, varying.patch, varying.per_primitive};
  }
  static std::uint32_t location_estimate(const Census& census);
  static bool has_sample_input(const Census& census);
  void count(const Motion& motion, Census& census) const;

  std::vector<bool> computed_by_consumer() const;
  void judge_values();
  void build_network();
  void number_parts();
  // Connected values: each part is moved, or stays, by itself.
  struct Part {
    std::map<varyings::Slot, graph::InterfaceValue> slots;  // that cross now
    std::vector<graph::InterfaceValue> wanted;              // values that sinks use
    Set near_sinks, near_sources;                           // cuts
  };
  // Basic operations of the consumer. Drivers compute uniform ones once for many fragments.
  struct Work {
    double varying = 0, uniform = 0;
  };

  bool is_rematerializable(const graph::InterfaceValue& what) const;
  bool crosses_flat(const graph::InterfaceValue& what) const;
  bool needs_exact_bits(const graph::InterfaceValue& what);
  bool is_decomposable(const graph::InterfaceValue& what);
  bool is_transportable(const graph::InterfaceValue& what) const;
  std::vector<graph::InterfaceValue> operands_of(const graph::InterfaceValue& what);
  void judge_resource(graph::ValueId id);
  Work consumer_cost(std::size_t part, const Set& sent);
  double producer_cost(const Set& sent) const;
  std::optional<Motion> best_motion(std::size_t part);
  std::optional<Motion> motion_to(std::size_t part, const Set& after);
  bool stays_in(std::uint32_t location, const std::vector<varyings::Slot>& gone) const;
  std::optional<MovedValue> place_for(const graph::InterfaceValue& what, const std::vector<varyings::Slot>& gone,
                                      std::vector<varyings::Slot>& vacant) const;
  static bool interpolates_more(const Set& before, const Set& after);
  bool pays(std::size_t part, const Set& before, std::size_t components_before, const Set& after);
  bool is_allowed(const Motion& motion) const;
  void accept(std::size_t part, Motion motion, MovePlan& plan);

  const link::Link& link_;
  graph::ValueGraph graph_;
  std::unique_ptr<link::ProducerValues> producer_;
  std::unique_ptr<link::ConsumerValues> consumer_;
  const link::PipelineLayout* layout_;  // may be null
  const analysis::CostProfile& profile_;
  double uniform_limit_;  // per component (graph/value_cost.h)
  link::ReachableResources producer_resources_, consumer_resources_;
  std::vector<bool> rematerializable_,
      sendable_;                        // by value: the consumer can compute it alone; the producer can compute it
  std::vector<bool> computed_already_;  // by value: by the consumer, today
  std::vector<double> cost_;            // by value: of the operation itself
  std::vector<bool> convergent_;        // by value
  std::vector<bool> uniform_;           // by value: made of constants and resources
  graph::VertexCut network_;
  std::vector<graph::InterfaceValue> nodes_;
  std::map<graph::InterfaceValue, graph::VertexCut::Node> index_;
  std::set<graph::InterfaceValue> wanted_;  // values that sinks use
  std::vector<std::size_t> part_of_;        // by node
  std::vector<Part> parts_;
  Census census_;                // of the inputs, all motions so far included
  bool samples_anyway_ = false;  // an input that is not a scalar is interpolated per sample
};

}  // namespace varylink::passes
