// Values that a stage can evaluate without another stage: uniform buffers and push constants that its code reads anyway
// or that the pipeline layout gives it (rule ), specialization constants, and arithmetic on types that its
// capabilities allow.
#pragma once

#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "graph/resource.h"
#include "graph/spec_constant.h"
#include "graph/value.h"
#include "link/model/linked_stage.h"
#include "link/model/pipeline_layout.h"

namespace varylink::link {

// A snapshot of one stage.
class ReachableResources {
 public:
  // `layout` may be null: nothing is known. It must outlive this object.
  ReachableResources(const LinkedStage& stage, const PipelineLayout* layout);

  // The stage may evaluate this resource value: it has the scalar, or a declaration of it can be added, together with
  // those of all values that this was true of before. A buffer that the code reads already is in the pipeline layout
  // whatever part of it the code reads.
  bool can_read(const graph::Value& resource) const;
  // A pipeline layout could let the stage read this resource value: it has nothing else in that place.
  bool could_read(const graph::Value& resource) const;
  // The stage declares the resource or specialization constant already.
  bool has(const graph::Value& value) const;
  // The stage may compute a value of any kind but leaf and per_store_point, if it has the operands. Specialization
  // constants count if all stages get the same specialization data: then it may declare those of the other stage,
  // unless it has another constant with that SpecId.
  bool can_evaluate(const graph::Value& value) const;
  // No capability becomes necessary that the stage does not have (rule ).
  bool can_compute_with(varyings::ScalarType type) const;

 private:
  struct Room;
  bool is_in_layout(const graph::ResourceKey& key, std::uint64_t bytes) const;
  bool has_room(const graph::ResourceKey& key, varyings::ScalarType type) const;
  bool can_declare(const graph::ResourceKey& key, varyings::ScalarType type) const;
  bool shares(const graph::SpecConstantKey& key) const;

  const spirv::Module& module_;
  Stage stage_;
  bool shared_spec_constants_;
  const PipelineLayout* layout_;
  graph::Resources resources_;
  graph::SpecConstants spec_constants_;
  std::set<spv::Capability> capabilities_;
  // Set and binding of variables, used or not, that are something else than one uniform buffer.
  std::set<std::pair<std::uint32_t, std::uint32_t>> other_bindings_;
  bool has_push_constants_ = false;
  mutable std::shared_ptr<Room> room_;  // of the declarations, from the first time on that one has to change
};

// The same bytes in both stages: always for uniform buffers, for push constants if one range of the layout says so
// (rule ).
bool is_same_resource(const graph::Value& resource, Stage a, Stage b, const PipelineLayout* layout);

// Declares those of the resource values that the stage lacks, which ReachableResources said that it can read: the
// buffer that it has at the binding gets the members needed, else a block with just these is added. Returns an object
// whose find() finds all of them in the stage from now on.
graph::Resources with_declared(LinkedStage& stage, const std::vector<const graph::Value*>& resources);

}  // namespace varylink::link
