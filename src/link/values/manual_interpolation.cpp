#include "link/values/manual_interpolation.h"

#include <algorithm>
#include <optional>
#include <set>

#include "analysis/built_in_slice.h"
#include "base/seeded_fault.h"
#include "link/values/bilinear_forms.h"
#include "link/values/patch_values.h"
#include "spirv/ir/op_info.h"

namespace varylink::link {
namespace {

using graph::Ref;
using graph::ValueId;
using spirv::Id;
using spirv::InstRef;

// An input whose values at the vertices are weighted with weights that sum to one.
struct WeightedInput {
  Id input = 0;
  VertexWeights weights;
};

// Sum of products of one input and one component of TessCoord each.
struct TriangleSum {
  Id input = 0;
  std::array<std::uint32_t, kTriangle> coordinates = {kTriangle, kTriangle, kTriangle};  // by vertex

  bool is_complete() const { return (1u << coordinates[0] | 1u << coordinates[1] | 1u << coordinates[2]) == 7; }
};

std::optional<TriangleSum> add(const TriangleSum& a, const TriangleSum& b) {
  if (a.input != b.input) return std::nullopt;
  TriangleSum sum = a;
  for (std::size_t i = 0; i < sum.coordinates.size(); ++i) {
    if (b.coordinates[i] == kTriangle) continue;
    if (sum.coordinates[i] != kTriangle) return std::nullopt;
    sum.coordinates[i] = b.coordinates[i];
  }
  return sum;
}

// By value.
using WeightedInputs = std::vector<std::optional<WeightedInput>>;

void add_triangle_sums(const PatchValues& values, WeightedInputs& found) {
  const graph::ValueGraph& graph = values.graph();
  const auto product = [&](ValueId a, ValueId b) -> std::optional<TriangleSum> {
    if (values.is_barycentric(a)) std::swap(a, b);
    if (!values.is_input(a) || !values.is_barycentric(b) || graph[a].words[1] >= kTriangle) return std::nullopt;
    TriangleSum sum{graph[a].words[0]};
    sum.coordinates[graph[a].words[1]] = graph[b].words[1];
    return sum;
  };
  const auto sums = weighted_sums<TriangleSum>(graph, product, add);
  for (ValueId id = 0; id < sums.size(); ++id) {
    if (!sums[id] || !sums[id]->is_complete()) continue;
    const auto& of = sums[id]->coordinates;
    found[id] = {sums[id]->input, {false, {of[0], of[1], of[2], 0}}};
  }
}

void add_bilinear_sums(const PatchValues& values, WeightedInputs& found) {
  const graph::ValueGraph& graph = values.graph();
  const auto are_of_one_input = [&](ValueId a, ValueId b) {
    return a != graph::kNoValue && b != graph::kNoValue && values.is_input(a) && values.is_input(b) &&
           graph[a].words[0] == graph[b].words[0];
  };
  const BilinearForms forms(values, are_of_one_input);
  for (ValueId id = 0; id < graph.size(); ++id) {
    const auto corners = BilinearForms::corners(forms[id]);
    const bool is_sum = corners && graph[id].kind == graph::ValueKind::operation;
    if (!is_sum || !values.is_input(corners->front())) continue;
    WeightedInput sum{graph[corners->front()].words[0], {true, {}}};
    for (std::size_t i = 0; i < corners->size(); ++i) sum.weights.of[i] = graph[(*corners)[i]].words[1];
    if (sum.weights.depend_on_x() || sum.weights.depend_on_y()) found[id] = sum;
  }
}

WeightedInputs sums_of(const PatchValues& values, bool over_triangles) {
  WeightedInputs found(values.graph().size());
  add_bilinear_sums(values, found);
  if (over_triangles) add_triangle_sums(values, found);
  return found;
}

}  // namespace

// Which inputs the shader wants in sums only. An instruction counts if all its components are such sums; whatever else
// is wanted, down to its operands, disqualifies the inputs in it.
class ManualInterpolation::Search {
 public:
  Search(const spirv::Module& module, const spirv::Function& function, const PatchValues& reader, bool over_triangles)
      : module_(module), function_(function), reader_(reader), sums_(sums_of(reader, over_triangles)) {}

  // Takes inputs out of `eligible` until what is left is wanted in sums only.
  void run(std::set<Id>& eligible) {
    judge(eligible);
    find_weights(eligible);
    for (bool changed = true; changed;) {
      judge(eligible);
      changed = false;
      for (const ValueId value : wanted())
        if (reader_.is_input(value) && !seeded_fault("manual-sum-forgets-raw-reads"))
          changed = eligible.erase(reader_.graph()[value].words[0]) != 0 || changed;
    }
    std::erase_if(eligible, [&](Id input) { return weights_.count(input) == 0; });  // not summed at all
  }

  const std::map<Id, VertexWeights>& weights() const { return weights_; }

  // By result: the inputs of its components.
  std::map<Id, std::vector<Id>> sums_by_result() const {
    std::map<Id, std::vector<Id>> found;
    for (const PatchValues::Result& result : reader_.results()) {
      if (!is_sum(result)) continue;
      for (const Ref ref : reader_.refs(result.id)) found[result.id].push_back(sums_[ref]->input);
    }
    return found;
  }

 private:
  // The weights of the sums that are wanted, which may have others inside: along one side of a quad. An input that is
  // weighted in several ways is none.
  void find_weights(std::set<Id>& eligible) {
    for (const ValueId value : wanted()) {
      if (!counts_[value]) continue;
      const auto [known, is_new] = weights_.try_emplace(sums_[value]->input, sums_[value]->weights);
      if (known->second != sums_[value]->weights) eligible.erase(sums_[value]->input);
    }
    // What nobody wants is computed next to what is wanted: an instruction counts with all its components. Sums that
    // have others inside are behind them.
    for (auto id = static_cast<ValueId>(sums_.size()); id-- != 0;)
      if (counts_[id]) weights_.try_emplace(sums_[id]->input, sums_[id]->weights);
  }

  // Sums of an eligible input, with the weights that it is known to have.
  bool is_candidate(ValueId id, const std::set<Id>& eligible) const {
    if (!sums_[id] || eligible.count(sums_[id]->input) == 0) return false;
    const auto known = weights_.find(sums_[id]->input);
    return known == weights_.end() || known->second == sums_[id]->weights;
  }

  void judge(const std::set<Id>& eligible) {
    counts_.assign(sums_.size(), false);
    for (ValueId id = 0; id < sums_.size(); ++id) counts_[id] = is_candidate(id, eligible);
    // A value that is also a component of something else has to be had there, too; and then whatever it is next to.
    for (bool changed = true; changed;) {
      changed = false;
      for (const PatchValues::Result& result : reader_.results()) {
        if (spirv::is_rearrangement(module_[result.inst].op) || is_sum(result)) continue;
        for (const Ref ref : reader_.refs(result.id)) {
          changed = changed || counts_[ref];
          counts_[ref] = false;
        }
      }
    }
  }

  bool is_sum(const PatchValues::Result& result) const {
    const auto& refs = reader_.refs(result.id);
    return !spirv::is_rearrangement(module_[result.inst].op) &&
           std::all_of(refs.begin(), refs.end(), [&](Ref ref) { return counts_[ref]; });
  }

  // Everything that instructions use which are no scalar operations, and what that is made of. Sums end it.
  std::set<ValueId> wanted() const {
    std::set<Id> scalar;
    for (const PatchValues::Result& result : reader_.results())
      if (!result.is_opaque) scalar.insert(result.id);
    std::vector<ValueId> open;
    for (const spirv::Block& block : function_.blocks)
      for (const InstRef inst : block.body) {
        if (scalar.count(module_[inst].result) != 0) continue;
        for (const spirv::Operand& operand : module_.operands(inst))
          if (operand.is_id)
            open.insert(open.end(), reader_.refs(operand.word).begin(), reader_.refs(operand.word).end());
      }
    std::set<ValueId> wanted;
    while (!open.empty()) {
      const ValueId value = open.back();
      open.pop_back();
      if (!wanted.insert(value).second || counts_[value]) continue;
      const auto& operands = reader_.graph()[value].operands;
      open.insert(open.end(), operands.begin(), operands.end());
    }
    return wanted;
  }

  const spirv::Module& module_;
  const spirv::Function& function_;
  const PatchValues& reader_;
  WeightedInputs sums_;
  std::vector<bool> counts_;  // by value: a sum of an eligible input wherever it is computed
  std::map<Id, VertexWeights> weights_;
};

ManualInterpolation::ManualInterpolation(const Link& link, const std::map<Id, varyings::VariableAccesses>& candidates) {
  const LinkedStage& stage = *link.consumers.front();
  if (candidates.empty() || stage.stage != Stage::tess_eval || stage.reaches_capture) return;
  tess_coord_ = find_tess_coord(stage);
  if (tess_coord_ == 0) return;
  const spirv::Function& function = *stage.module.function(stage.entry.function);
  const std::vector<bool> built_in = analysis::reaches_built_in(stage.module, function);
  PatchValues reader(stage, tess_coord_);
  std::set<Id> eligible;
  for (const auto& [variable, accesses] : candidates) {
    const bool fits = std::all_of(accesses.accesses.begin(), accesses.accesses.end(), [&](const auto& access) {
      return access.kind == varyings::PointerAccess::Kind::load && !access.indices.empty() &&
             patch_vertex(stage.module, access.indices.front()) &&
             (!built_in[stage.module[access.inst].result] || seeded_fault("manual-sum-of-position"));
    });
    if (!fits) continue;
    eligible.insert(variable);
    reader.add_input(variable, accesses);
  }
  if (eligible.empty()) return;
  reader.run();
  Search search(stage.module, function, reader, has_triangles(link));
  search.run(eligible);
  for (const Id input : eligible) inputs_.emplace(input, search.weights().at(input));
  sums_ = search.sums_by_result();
}

std::vector<Id> ManualInterpolation::summed(Id result) const {
  const auto found = sums_.find(result);
  return found == sums_.end() ? std::vector<Id>{} : found->second;
}

}  // namespace varylink::link
