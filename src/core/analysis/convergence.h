// Which values are equal at all vertices of a primitive: those an interpolated input may just as well carry flat
// (rule ).
#pragma once

#include <set>
#include <vector>

#include "spirv/ir/cfg.h"
#include "spirv/ir/memory_reads.h"
#include "spirv/ir/module.h"
#include "state/pipeline_state.h"
#include "varyings/reflect/interface_variable.h"

namespace varylink::analysis {

// The values of one stage that stores varyings. A snapshot.
//
// Vertex and evaluation shaders run once per vertex: a value is convergent if it is made of constants, uniform memory,
// values of which a primitive has only one, and in an evaluation shader values of the patch. A choice between
// convergent values by a branch is convergent if the condition is. A value computed in a loop is convergent if all
// vertices leave the loop in the same round. The vertices of a primitive come from one workgroup of a mesh shader:
// there the same holds for values of which the workgroup has only one, but not for values that differ between the
// rounds of a loop, each of which may store another vertex. Callers have to compare the values of different stores
// themselves.
//
// A geometry shader builds primitives itself, so the question is not whether its lanes agree but whether all vertices
// it emits carry the same dynamic value: one value, computed outside of every loop. Callers have to compare the values
// of different emits themselves. (A value inside a loop may differ from one emit to the next.)
//
// With points as output every primitive has one vertex, and everything is convergent. Behind a vertex shader only the
// application knows that, as it knows which attributes advance per instance (a primitive never spans instances).
class Convergence {
 public:
  // `state`: of the pipelines; copied.
  Convergence(const spirv::Module& module, const varyings::Entry& entry, const state::PipelineState& state);

  // The value of this id is the same at all vertices of a primitive. For control stages never.
  bool is_convergent(spirv::Id value) const;
  // Every primitive has one vertex, so that even what differs between vertices is convergent.
  bool everything_is_convergent() const { return one_vertex_primitives_; }

 private:
  void find_divergent();
  bool diverges_by_itself(spirv::InstRef inst) const;
  bool is_shared_memory(spirv::InstRef load) const;
  bool is_single_per_primitive(spirv::Id variable) const;

  const spirv::Module& module_;
  spirv::MemoryReads reads_;
  Stage stage_;
  std::set<spirv::Id> instance_rate_variables_;
  const spirv::Function* function_;
  spirv::Cfg cfg_;
  std::vector<std::uint32_t> block_of_;  // by instruction
  bool one_vertex_primitives_ = false;
  std::vector<bool> divergent_;  // by id: of what the function computes
};

}  // namespace varylink::analysis
