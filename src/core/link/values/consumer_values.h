// Values that a consumer computes from its inputs, as nodes over the producer's values.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "graph/interpolation_class.h"
#include "graph/value_reader.h"
#include "link/model/pipeline_layout.h"
#include "link/values/producer_values.h"
#include "varyings/reflect/interpolate_at.h"

namespace varylink::link {

// A load of an interface value; of an array of vertices one vertex, by the id of the index (0 if not arrayed). An index
// that is not constant means the same vertex inside one block only, since a loop may change it; so does the sample of
// an InterpolateAt instruction.
struct InterfaceLoad {
  static constexpr std::uint32_t kAnywhere = 0xffffffffu;
  graph::InterfaceValue what;
  spirv::Id vertex = 0;
  std::uint32_t block = kAnywhere;
  friend auto operator<=>(const InterfaceLoad&, const InterfaceLoad&) = default;
};

// A result in the consumer's code with a user that only the consumer can execute: a texture read, a comparison of
// interpolated values, a store, a product of two varyings.
struct Sink {
  spirv::Id id = 0;
  std::vector<InterfaceLoad> components;  // of the whole result
  std::vector<bool> used;                 // which of them
};

// One consumer of one producer. A snapshot of both modules.
class ConsumerValues {
 public:
  // Adds the consumer's values to the producer's graph. Unless it `crosses_discontinuities`, an interpolated value that
  // ends in one is not computed elsewhere. `layout` may be null; resources that it does not equate in both stages are
  // followed in the producer only.
  ConsumerValues(const Link& link, graph::ValueGraph& graph, ProducerValues& producer, bool crosses_discontinuities,
                 const PipelineLayout* layout);
  ~ConsumerValues();

  // Inputs that the graph covers: scalar, 32 bits wide, with a known value, not captured. By present slot.
  const std::map<varyings::Slot, graph::InterfaceValue>& inputs() const { return inputs_; }
  const std::vector<Sink>& sinks() const { return sinks_; }
  // Values that have to cross as they are: a discontinuity depends on them.
  const std::set<graph::InterfaceValue>& non_movable() const { return non_movable_; }
  // Qualifiers of an interpolated class.
  const varyings::Interpolation& interpolation(graph::ClassId interpolation_class) const {
    return classes_[interpolation_class - graph::kFirstInterpolatedClass].interpolation;
  }
  // Set: the InterpolateAt instruction that reads values of an interpolated class, instead of loads.
  const std::optional<varyings::InterpolateAt>& place(graph::ClassId interpolation_class) const {
    return classes_[interpolation_class - graph::kFirstInterpolatedClass].place;
  }
  // The code behind this value of the consumer shows how the value was rounded when it crossed
  // (link/values/kept_rounding.h).
  bool keeps_rounding(spirv::Id value) const { return keeps_rounding_[value]; }
  // All vertices of a primitive have the value alike: it crosses in the convergent class, whatever it was read with.
  // Never so where vertices are read one by one, since one of an array is read as such.
  bool is_convergent(graph::ValueId value) const;

 private:
  class Reader;
  class Roots;
  struct InterpolationClass {
    varyings::Interpolation interpolation;
    std::optional<varyings::InterpolateAt> place;
    friend bool operator==(const InterpolationClass&, const InterpolationClass&) = default;
  };

  bool is_followed(const varyings::Varying& input) const;
  void find_inputs();
  void find_sinks(const spirv::Function& function, const std::vector<bool>& stops_rounding);
  graph::ClassId class_of(const varyings::Varying& input, const varyings::PointerAccess& access);
  bool is_fixed(spirv::Id value) const;
  graph::ClassId number_of(InterpolationClass way);

  const Link& link_;
  const LinkedStage& consumer_;
  graph::ValueGraph& graph_;
  ProducerValues& producer_;
  const PipelineLayout* layout_;
  std::map<varyings::Slot, graph::InterfaceValue> inputs_;
  std::vector<bool> keeps_rounding_;  // by id
  std::vector<spirv::Place> places_;
  std::map<spirv::InstRef, InterfaceLoad> loads_;  // of those inputs
  std::vector<InterpolationClass> classes_;
  std::vector<Sink> sinks_;
  std::set<graph::InterfaceValue> non_movable_;
  std::unique_ptr<Reader> reader_;
};

}  // namespace varylink::link
