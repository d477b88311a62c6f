// Writes values of the graph as code of a stage.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <vector>

#include "base/diagnostic.h"
#include "graph/resource.h"
#include "graph/undivided_functions.h"
#include "graph/value.h"
#include "spirv/ir/emitter.h"

namespace varylink::graph {

// Writes values one after another to the place of its spirv::Emitter, and reuses those that it has written; so one
// writer serves one place.
class ValueWriter {
 public:
  // Id of a value that is there already, 0 if it has to be written. Must know every leaf that values are made of.
  using Known = std::function<spirv::Id(ValueId)>;

  // `store_point`: which of the operands of a `per_store_point` node is meant here.
  ValueWriter(const ValueGraph& graph, spirv::Module& module, spirv::Globals& globals, spirv::Emitter& emitter,
              const Resources& resources, Known known, std::uint32_t store_point = 0);

  // Code for these values, and for the operands that they select or negate, rounds as a value that is sent does:
  // compilers may not fuse it with its users (rule ). Call it before any write().
  void keep_rounding(const std::set<ValueId>& values);

  // Id of the value. Everything it needs must be known, constant, a resource that this module uses, a specialization
  // constant, or an operation. A specialization constant that the module lacks is declared.
  spirv::Id write(ValueId value);

  // False once write() needed a value of another kind, or an operation whose operands have other types than its
  // instruction takes. Its result is then undefined, which may be valid SPIR-V, so no later check would notice. The
  // pass must fail.
  bool is_complete() const { return complete_; }

  // The SPIR-V type of a scalar.
  spirv::Id type_id(varyings::ScalarType type);

 private:
  spirv::Id write_one(ValueId value);
  spirv::Id write_undefined(const Value& value);
  spirv::Id write_resource(const Value& value);
  spirv::Id write_specialization(const Value& value);
  spirv::Id write_operation(const Value& value);
  spirv::Id write_undivided(const Value& value);
  spirv::Id numbers_type(varyings::ScalarType scalar, NumberShape shape);

  const ValueGraph& graph_;
  spirv::Module& module_;
  spirv::Globals& globals_;
  spirv::Emitter& emitter_;
  const Resources& resources_;
  Known known_;
  std::uint32_t store_point_;
  bool complete_ = true;
  std::set<ValueId> rounded_;
  std::map<ValueId, spirv::Id> written_;
  std::map<std::vector<std::uint32_t>, spirv::Id> loads_;      // by variable, indices, and value of a computed one
  std::map<std::vector<std::uint32_t>, spirv::Id> undivided_;  // by number, type of the result, and operands
};

// The error of a pass whose writer was not complete.
Diagnostic incomplete_value(FileRef file);

}  // namespace varylink::graph
