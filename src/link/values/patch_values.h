// What an evaluation shader computes from the vertices of its patch and from its place in it.
#pragma once

#include <spirv/unified1/GLSL.std.450.h>

#include <map>
#include <optional>
#include <set>
#include <vector>

#include "graph/value_reader.h"
#include "link/model/link.h"
#include "varyings/reflect/pointer_access.h"

namespace varylink::link {

// Components of TessCoord, and vertices of a triangle, are below this.
inline constexpr std::uint32_t kTriangle = 3;
// No patch has more vertices on any device (Vulkan, maxTessellationPatchSize) but those that ask for it.
inline constexpr std::uint32_t kMostVertices = 32;

// The domain is triangles, in which the components of TessCoord sum to one. Either of the two stages of a link may
// state it (SPIR-V, "Execution Mode"). False for other consumers than evaluation shaders.
bool has_triangles(const Link& link);

// The variable of TessCoord, 0 if the stage does not have it.
spirv::Id find_tess_coord(const LinkedStage& stage);

// A constant index of a vertex.
std::optional<std::uint32_t> patch_vertex(const spirv::Module& module, spirv::Id index);

// Every scalar of the shader as a value; loads of a component of TessCoord, or of an input that was added, are the same
// wherever they stand. A snapshot; add inputs first, then run().
class PatchValues final : public graph::ValueReader {
 public:
  struct Result {
    spirv::InstRef inst;
    spirv::Id id = 0;
    bool is_opaque = false;  // no scalar operation
  };

  PatchValues(const LinkedStage& stage, spirv::Id tess_coord);

  // All accesses must be loads at constant vertices.
  void add_input(spirv::Id variable, const varyings::VariableAccesses& accesses);

  const graph::ValueGraph& graph() const { return graph_; }
  // Results that are scalars, vectors or matrices, in the order of the code.
  const std::vector<Result>& results() const { return results_; }

  // The value is a load of an added input: words are the variable and the vertex.
  bool is_input(graph::ValueId value) const;
  // The value is a component of TessCoord: words are the variable and the component.
  bool is_barycentric(graph::ValueId value) const;

 protected:
  graph::Ref leaf(spirv::Id id, std::uint32_t component, varyings::ScalarType type) override;
  graph::Ref constant(varyings::ScalarType type, std::vector<std::uint32_t> bits) override;
  graph::Ref resource(varyings::ScalarType type, const graph::ResourceKey& key) override;
  graph::Ref operation(const graph::ScalarOperation& operation) override;
  void finish(spirv::InstRef inst, std::vector<graph::Ref>& refs) override;

 private:
  spirv::Id tess_coord_;
  graph::ValueGraph graph_;
  std::vector<Result> results_;
  std::map<spirv::InstRef, std::uint32_t> coords_;                       // loads of TessCoord: first component
  std::map<spirv::InstRef, std::pair<spirv::Id, std::uint32_t>> loads_;  // of inputs: variable and vertex
  std::set<spirv::Id> known_inputs_;
};

// For each value the sum of products that it is, as far as it is one: `product` makes one of two factors, `add` one of
// two, or none. What is NoContraction is no sum.
template <typename Sum, typename Product, typename Add>
std::vector<std::optional<Sum>> weighted_sums(const graph::ValueGraph& graph, Product product, Add add) {
  std::vector<std::optional<Sum>> sums(graph.size());
  for (graph::ValueId id = 0; id < graph.size(); ++id) {
    const graph::Value& value = graph[id];
    if (value.kind != graph::ValueKind::operation || value.no_contraction) continue;
    const auto& operands = value.operands;
    if (value.op == spv::Op::OpFMul) sums[id] = product(operands[0], operands[1]);
    if (value.op == spv::Op::OpFAdd && sums[operands[0]] && sums[operands[1]])
      sums[id] = add(*sums[operands[0]], *sums[operands[1]]);
    if (value.op != spv::Op::OpExtInst || value.glsl != GLSLstd450Fma || !sums[operands[2]]) continue;
    if (const std::optional<Sum> first = product(operands[0], operands[1])) sums[id] = add(*first, *sums[operands[2]]);
  }
  return sums;
}

}  // namespace varylink::link
