#include "link/values/manual_interpolation.h"

#include <algorithm>
#include <optional>
#include <set>

#include "analysis/built_in_slice.h"
#include "base/seeded_fault.h"
#include "link/values/patch_values.h"

namespace varylink::link {
namespace {

using graph::Ref;
using graph::ValueId;
using spirv::Id;
using spirv::InstRef;

// Sum of products of one input and one barycentric each.
struct Sum {
  Id input = 0;
  Barycentrics barycentrics = {kTriangle, kTriangle, kTriangle};

  bool is_complete() const { return (1u << barycentrics[0] | 1u << barycentrics[1] | 1u << barycentrics[2]) == 7; }
};

std::optional<Sum> add(const Sum& a, const Sum& b) {
  if (a.input != b.input) return std::nullopt;
  Sum sum = a;
  for (std::size_t i = 0; i < sum.barycentrics.size(); ++i) {
    if (b.barycentrics[i] == kTriangle) continue;
    if (sum.barycentrics[i] != kTriangle) return std::nullopt;
    sum.barycentrics[i] = b.barycentrics[i];
  }
  return sum;
}

std::vector<std::optional<Sum>> sums_of(const PatchValues& values) {
  const graph::ValueGraph& graph = values.graph();
  const auto product = [&](ValueId a, ValueId b) -> std::optional<Sum> {
    if (values.is_barycentric(a)) std::swap(a, b);
    if (!values.is_input(a) || !values.is_barycentric(b)) return std::nullopt;
    Sum sum{graph[a].words[0], {kTriangle, kTriangle, kTriangle}};
    sum.barycentrics[graph[a].words[1]] = graph[b].words[1];
    return sum;
  };
  return weighted_sums<Sum>(graph, product, add);
}

}  // namespace

// Which inputs the shader wants in sums only. An instruction counts if all its components are such sums; whatever else
// is wanted, down to its operands, disqualifies the inputs in it.
class ManualInterpolation::Search {
 public:
  Search(const spirv::Module& module, const spirv::Function& function, const PatchValues& reader)
      : module_(module), function_(function), reader_(reader), sums_(sums_of(reader)) {}

  // Takes inputs out of `eligible` until what is left is wanted in sums only.
  void run(std::set<Id>& eligible) {
    find_barycentrics(eligible);
    for (bool changed = true; changed;) {
      judge(eligible);
      changed = false;
      for (const ValueId value : wanted())
        if (reader_.is_input(value) && !seeded_fault("manual-sum-forgets-raw-reads"))
          changed = eligible.erase(reader_.graph()[value].words[0]) != 0 || changed;
    }
    std::erase_if(eligible, [&](Id input) { return barycentrics_.count(input) == 0; });
  }

  const std::map<Id, Barycentrics>& barycentrics() const { return barycentrics_; }

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
  // An input that is weighted in several ways is none.
  void find_barycentrics(std::set<Id>& eligible) {
    for (const auto& sum : sums_) {
      if (!sum || !sum->is_complete()) continue;
      const auto [known, is_new] = barycentrics_.try_emplace(sum->input, sum->barycentrics);
      if (known->second != sum->barycentrics) eligible.erase(sum->input);
    }
  }

  void judge(const std::set<Id>& eligible) {
    counts_.assign(sums_.size(), false);
    for (ValueId id = 0; id < sums_.size(); ++id)
      counts_[id] = sums_[id] && sums_[id]->is_complete() && eligible.count(sums_[id]->input) != 0;
    // A value that is also a component of something else has to be had there, too; and then whatever it is next to.
    for (bool changed = true; changed;) {
      changed = false;
      for (const PatchValues::Result& result : reader_.results()) {
        if (graph::ValueReader::is_rearrangement(module_[result.inst].op) || is_sum(result)) continue;
        for (const Ref ref : reader_.refs(result.id)) {
          changed = changed || counts_[ref];
          counts_[ref] = false;
        }
      }
    }
  }

  bool is_sum(const PatchValues::Result& result) const {
    const auto& refs = reader_.refs(result.id);
    return !graph::ValueReader::is_rearrangement(module_[result.inst].op) &&
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
  std::vector<std::optional<Sum>> sums_;  // by value
  std::vector<bool> counts_;              // by value: a complete sum of an eligible input wherever it is computed
  std::map<Id, Barycentrics> barycentrics_;
};

ManualInterpolation::ManualInterpolation(const Link& link, const std::map<Id, varyings::VariableAccesses>& candidates) {
  const LinkedStage& stage = *link.consumers.front();
  if (candidates.empty() || !has_triangles(link) || stage.reaches_capture) return;
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
  Search search(stage.module, function, reader);
  search.run(eligible);
  for (const Id input : eligible) inputs_.emplace(input, search.barycentrics().at(input));
  sums_ = search.sums_by_result();
}

std::vector<Id> ManualInterpolation::summed(Id result) const {
  const auto found = sums_.find(result);
  return found == sums_.end() ? std::vector<Id>{} : found->second;
}

}  // namespace varylink::link
