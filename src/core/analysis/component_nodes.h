// Which operation each component of a value comes from while an operation graph is built, seen through everything that
// only gives components other names. Knows values of any type and size, since it estimates all code of a stage;
// graph/value_reader.h reads only scalars that passes can move, but knows the meaning of operations.
#pragma once

#include <vector>

#include "analysis/operation_graph.h"
#include "spirv/ir/scalar_view.h"

namespace varylink::analysis {

// Nodes of the components of a value; no node for constants, but a mark of those with which sums and products are no
// operation. One entry stands for all components of a value that is too large or that comes from one operation as a
// whole; none for values that are no numbers.
using Components = std::vector<NodeId>;

inline constexpr NodeId kOne = kNoNode - 2, kZero = kNoNode - 1;  // 1.0f; 0 of any type
inline bool is_constant(NodeId component) { return component >= kOne; }

// The constant that component `index` of a constant is: a scalar, or the innermost part without parts of its own, such
// as a vector of zeros.
spirv::Id constant_component(const spirv::Module& module, spirv::Id constant, std::uint32_t index);

// Values with more components than this are one node.
inline constexpr std::uint32_t kMaxComponents = 1024;

class ComponentNodes {
 public:
  explicit ComponentNodes(const spirv::Module& module) : module_(module), values_(module.bound) {}

  NodeId component(spirv::Id value, std::uint32_t index) const;
  const Components& components(spirv::Id value) const { return values_[value < values_.size() ? value : 0]; }
  void define(spirv::Id value, Components components) { values_[value] = std::move(components); }

  // Takes the instruction in if it is no operation: composites, swizzles, bitcasts, absolute values and negations of
  // floats, and instructions of sets that mean nothing for the result. Else false.
  bool add_rename(spirv::InstRef inst);

 private:
  Components arranged(const std::vector<spirv::Scalar>& scalars) const;
  Components same(spirv::InstRef inst, spirv::Id source) const;
  NodeId constant(spirv::Id id) const;

  const spirv::Module& module_;
  std::vector<Components> values_;  // by id
};

}  // namespace varylink::analysis
