// What a consumer computes from what it receives, in terms of the values of its producer.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "graph/interpolation_class.h"
#include "graph/value_reader.h"
#include "link/model/pipeline_layout.h"
#include "link/values/manual_interpolation.h"
#include "link/values/producer_values.h"
#include "varyings/reflect/interpolate_at.h"

namespace varylink::link {

// A read of a crossing value; of an array of vertices that of one of them, by the id of the index (0 if not arrayed).
// An index that is not constant means the same vertex only inside one block: behind a loop it may have moved on. The
// sample of an InterpolateAt instruction likewise.
struct CrossingRead {
  static constexpr std::uint32_t kAnywhere = 0xffffffffu;
  graph::CrossingValue what;
  spirv::Id vertex = 0;
  std::uint32_t block = kAnywhere;
  friend auto operator<=>(const CrossingRead&, const CrossingRead&) = default;
};

// A result in the consumer's code that something uses which only the consumer can do: a texture read, a comparison of
// interpolated values, a store, a product of two varyings.
struct Need {
  spirv::Id id = 0;
  std::vector<CrossingRead> components;  // of the whole result
  std::vector<bool> used;                // which of them
};

// One consumer of one producer. A snapshot of both modules.
class ConsumerValues {
 public:
  // Adds what the consumer computes to the producer's graph. Unless it `crosses_discontinuities`, what ends in one
  // is not computed elsewhere if it is interpolated. `layout` may be null; what it does not make the same in both
  // stages is followed in the producer only.
  ConsumerValues(const Link& link, graph::ValueGraph& graph, ProducerValues& producer, bool crosses_discontinuities,
                 const PipelineLayout* layout);
  ~ConsumerValues();

  // Inputs that the graph covers: scalar, 32 bits wide, with a known value, not captured. By present slot.
  const std::map<varyings::Slot, graph::CrossingValue>& inputs() const { return inputs_; }
  const std::vector<Need>& needs() const { return needs_; }
  // Values that have to cross as they are: a discontinuity depends on them.
  const std::set<graph::CrossingValue>& non_movable() const { return non_movable_; }
  // Qualifiers of an interpolated class.
  const varyings::Interpolation& interpolation(graph::ClassId interpolation_class) const {
    return classes_[interpolation_class - graph::kFirstInterpolatedClass].interpolation;
  }
  // Set: it is not the rasterizer that interpolates, but the evaluation shader with these weights.
  const std::optional<VertexWeights>& vertex_weights(graph::ClassId interpolation_class) const {
    return classes_[interpolation_class - graph::kFirstInterpolatedClass].vertex_weights;
  }
  // Set: the InterpolateAt instruction that reads values of an interpolated class, instead of loads.
  const std::optional<varyings::InterpolateAt>& place(graph::ClassId interpolation_class) const {
    return classes_[interpolation_class - graph::kFirstInterpolatedClass].place;
  }
  const ManualInterpolation& manual() const { return *manual_; }

 private:
  class Reader;
  class Roots;
  struct InterpolationClass {
    varyings::Interpolation interpolation;
    std::optional<VertexWeights> vertex_weights;
    std::optional<varyings::InterpolateAt> place;
    friend bool operator==(const InterpolationClass&, const InterpolationClass&) = default;
  };

  bool is_followed(const varyings::Varying& input) const;
  void find_inputs();
  void find_needs(const spirv::Function& function, const std::vector<bool>& stops_rounding);
  graph::ClassId class_of(const varyings::Varying& input, const varyings::PointerAccess& access);
  bool is_fixed(spirv::Id value) const;
  graph::ClassId number_of(InterpolationClass way);

  const Link& link_;
  const LinkedStage& consumer_;
  graph::ValueGraph& graph_;
  ProducerValues& producer_;
  const PipelineLayout* layout_;
  std::map<varyings::Slot, graph::CrossingValue> inputs_;
  std::vector<spirv::Place> places_;
  std::map<spirv::InstRef, CrossingRead> loads_;  // of those inputs
  std::vector<InterpolationClass> classes_;
  std::unique_ptr<ManualInterpolation> manual_;
  std::map<spirv::Id, CrossingRead> sums_;  // by variable: interpolated by the code of the consumer
  std::vector<Need> needs_;
  std::set<graph::CrossingValue> non_movable_;
  std::unique_ptr<Reader> reader_;
};

}  // namespace varylink::link
