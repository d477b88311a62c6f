// The scalar operations of one function and their dependences: the input of schedule.h.
//
// A vec4 addition is four nodes, a dot product a chain of multiplications and additions. Composites, swizzles and the
// like are no nodes; they only select the node of a component. Constants are none either, nor uniforms that the profile
// has for nothing. As every driver does, unused components are left out, a dominated second read of an input or uniform
// component is the first one, and a short branch that only computes is a selection (short_selections.h): so a stage
// does not look better only because Varylink did that first. The storage class alone decides here whether memory is
// read-only, since this is a cost; whether a load may be merged or moved, spirv/ir/memory_reads.h decides.
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/cost_profile.h"
#include "spirv/ir/module.h"

namespace varylink::analysis {

using NodeId = std::uint32_t;
inline constexpr NodeId kNoNode = 0xffffffffu;

// The source of a texture coordinate: units that fetch before a shader runs, or that read a varying and the texture at
// it in one instruction, need one that is interpolated inputs unchanged, side by side in a location.
enum class Coordinate : std::uint8_t { none, whole, split, computed };

// Part of a multiplication whose result goes into an addition: one operation on every GPU, unless one of the two is
// NoContraction.
enum class Fusion : std::uint8_t { none, product, sum };

inline constexpr std::uint32_t kNoLocation = 0xffffffffu;

struct OperationNode {
  OpClass op_class = OpClass::basic;
  std::uint32_t block = 0;  // position in OperationGraph::block_nodes
  std::uint32_t words = 0;  // 32-bit scalars that the result takes, 0 if there is none
  bool is_phi = false;
  bool is_uniform = false;  // the same for all vertices or fragments of a draw: made of constants and uniforms
  Fusion fusion = Fusion::none;
  std::uint32_t location =
      kNoLocation;              // of a load or store of a varying, or of a uniform: equal numbers are one location
  std::uint32_t component = 0;  // in that location
  bool is_attribute = false;    // a load of a vertex input
  Coordinate coordinate = Coordinate::none;  // of a texture access; `none` also where it is the same for all fragments
  std::vector<NodeId> operands;              // nodes of any block whose results it uses
  std::vector<NodeId> after;                 // nodes of the same block that have to come first, though no value flows
};

// A use that happens at the end of a block, not at a node: an operand of a phi in another block.
struct EdgeUse {
  NodeId value = kNoNode;
  NodeId phi = kNoNode;
  std::uint32_t block = 0;
};

// All blocks from `first` to `last` belong to one loop.
struct LoopRange {
  std::uint32_t first = 0, last = 0;
};

struct OperationGraph {
  std::vector<OperationNode> nodes;              // operands before users, except for what flows back in a loop
  std::vector<std::vector<NodeId>> block_nodes;  // reachable blocks in the order of the module, each with its nodes
  std::vector<EdgeUse> edge_uses;
  std::vector<LoopRange> loops;
  // An output component with several stores stays a value until the end, where it is stored once; not so in geometry
  // stages, which emit.
  bool stores_each_output_once = false;
};

// The graph of the function with that result id; empty if there is none. Functions that it calls are one operation for
// each call. `model` is that of the entry point: fragment inputs are interpolated unless they are flat.
OperationGraph operation_graph(const spirv::Module& module, spirv::Id function, spv::ExecutionModel model,
                               const CostProfile& profile);

}  // namespace varylink::analysis
