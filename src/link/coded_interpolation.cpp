#include "link/coded_interpolation.h"

#include <spirv/unified1/GLSL.std.450.h>

#include <algorithm>
#include <optional>
#include <set>

#include "analysis/built_in_slice.h"
#include "base/seeded_fault.h"
#include "graph/value_reader.h"
#include "io/pointer_access.h"
#include "spirv/globals.h"

namespace varylink::link {
namespace {

using graph::Ref;
using graph::Value;
using graph::ValueId;
using graph::ValueKind;
using spirv::Id;
using spirv::InstRef;
using spv::Op;

constexpr std::uint32_t kNoWeight = 3;

bool has_mode(const spirv::Module& module, spv::ExecutionMode mode) {
  return std::any_of(module.execution_modes.begin(), module.execution_modes.end(), [&](InstRef inst) {
    return static_cast<spv::ExecutionMode>(module.operand(inst, 1).word) == mode;
  });
}

// Either of the two stages may state the domain (SPIR-V, "Execution Mode").
bool is_triangular(const Link& link) {
  const LinkedStage &producer = *link.producers.front(), &consumer = *link.consumers.front();
  if (seeded_fault("coded-sum-in-any-domain")) return true;
  return has_mode(consumer.module, spv::ExecutionMode::Triangles) ||
         (producer.stage == Stage::tess_control && has_mode(producer.module, spv::ExecutionMode::Triangles));
}

// The variable of TessCoord, 0 if the stage does not have it.
Id find_tess_coord(const LinkedStage& stage) {
  const auto found = std::find_if(stage.entry.interface.begin(), stage.entry.interface.end(), [&](Id variable) {
    const auto built_in = io::decorations_of(stage.module, variable).value(spv::Decoration::BuiltIn);
    return built_in == static_cast<std::uint32_t>(spv::BuiltIn::TessCoord);
  });
  return found == stage.entry.interface.end() ? 0 : *found;
}

// Sum of products of one input and one weight each.
struct Sum {
  Id input = 0;
  Weights weights = {kNoWeight, kNoWeight, kNoWeight};

  bool is_complete() const { return (1u << weights[0] | 1u << weights[1] | 1u << weights[2]) == 7; }
};

std::optional<Sum> add(const Sum& a, const Sum& b) {
  if (a.input != b.input) return std::nullopt;
  Sum sum = a;
  for (std::size_t i = 0; i < sum.weights.size(); ++i) {
    if (b.weights[i] == kNoWeight) continue;
    if (sum.weights[i] != kNoWeight) return std::nullopt;
    sum.weights[i] = b.weights[i];
  }
  return sum;
}

}  // namespace

// Every scalar of the shader as a value; those that load an input or a weight are the same wherever they stand.
class CodedInterpolation::Reader final : public graph::ValueReader {
 public:
  struct Result {
    InstRef inst;
    Id id = 0;
    bool is_opaque = false;  // no scalar operation
  };

  Reader(const LinkedStage& stage, Id tess_coord)
      : ValueReader(stage.module, *stage.module.function(stage.entry.function)), tess_coord_(tess_coord) {
    const spirv::Uses uses(stage.module);
    for (const io::PointerAccess& access : io::accesses_of(module_, uses, tess_coord).accesses)
      coords_[access.inst] = access.indices.empty() ? 0 : constant(access.indices.front()).value_or(kNoWeight);
  }

  static std::optional<std::uint32_t> constant_of(const spirv::Module& module, Id id) {
    const auto value = io::constant_int(module, id);
    return value && *value >= 0 && *value < 3 ? std::optional(static_cast<std::uint32_t>(*value)) : std::nullopt;
  }

  // Loads of an input at vertices 0 to 2 are known from now on.
  void add_input(Id variable, const io::VariableAccesses& accesses) {
    for (const io::PointerAccess& access : accesses.accesses)
      loads_[access.inst] = {variable, *constant(access.indices.front())};
  }

  std::vector<Result> results;  // that are scalars, vectors or matrices, in the order of the code

  const graph::ValueGraph& graph() const { return graph_; }

  // For each value the sum that it is, as far as it is one.
  std::vector<std::optional<Sum>> sums() const {
    std::vector<std::optional<Sum>> sums(graph_.size());
    const auto product = [&](ValueId a, ValueId b) -> std::optional<Sum> {
      if (is_weight(a)) std::swap(a, b);
      if (!is_input(a) || !is_weight(b)) return std::nullopt;
      Sum sum{graph_[a].words[0], {kNoWeight, kNoWeight, kNoWeight}};
      sum.weights[graph_[a].words[1]] = graph_[b].words[1];
      return sum;
    };
    for (ValueId id = 0; id < graph_.size(); ++id) {
      const Value& value = graph_[id];
      if (value.kind != ValueKind::operation || value.exact) continue;
      const bool is_fma = value.op == Op::OpExtInst && value.glsl == GLSLstd450Fma;
      if (value.op == Op::OpFMul) sums[id] = product(value.operands[0], value.operands[1]);
      if (value.op == Op::OpFAdd && sums[value.operands[0]] && sums[value.operands[1]])
        sums[id] = add(*sums[value.operands[0]], *sums[value.operands[1]]);
      if (!is_fma || !sums[value.operands[2]]) continue;
      if (const auto first = product(value.operands[0], value.operands[1]))
        sums[id] = add(*first, *sums[value.operands[2]]);
    }
    return sums;
  }

  bool is_input(ValueId id) const { return is_load_of(id, false); }
  bool is_weight(ValueId id) const { return is_load_of(id, true); }

 protected:
  Ref leaf(Id id, std::uint32_t component, io::ScalarType type) override {
    Value value;
    value.type = type;
    value.words = {id, component};
    const InstRef inst = module_.def(id);
    if (const auto load = loads_.find(inst); load != loads_.end()) {
      value.words = {load->second.first, load->second.second};
      known_loads_.insert(load->second.first);
    } else if (const auto coord = coords_.find(inst); coord != coords_.end() && coord->second + component < kNoWeight) {
      value.words = {tess_coord_, coord->second + component};
    }
    return graph_.intern(std::move(value));
  }

  Ref constant(io::ScalarType type, std::vector<std::uint32_t> bits) override {
    return graph_.constant(type, std::move(bits));
  }

  Ref resource(io::ScalarType type, const graph::ResourceKey& key) override {
    Value value;
    value.kind = ValueKind::resource;
    value.type = type;
    value.words = key.words();
    return graph_.intern(std::move(value));
  }

  Ref operation(const graph::ScalarOperation& operation) override {
    Value value;
    value.kind = ValueKind::operation;
    value.op = operation.op;
    value.glsl = operation.glsl;
    value.exact = operation.exact;
    value.type = operation.type;
    value.operands = operation.operands;
    return graph_.intern(std::move(value));
  }

  void finish(InstRef inst, std::vector<Ref>& refs) override {
    const Id result = module_[inst].result;
    const Value& first = graph_[refs.front()];
    results.push_back({inst, result, first.kind == ValueKind::leaf && first.words.front() == result});
  }

 private:
  std::optional<std::uint32_t> constant(Id id) const { return constant_of(module_, id); }

  bool is_load_of(ValueId id, bool weight) const {
    const Value& value = graph_[id];
    if (value.kind != ValueKind::leaf) return false;
    return weight ? value.words[0] == tess_coord_ : known_loads_.count(value.words[0]) != 0;
  }

  Id tess_coord_;
  graph::ValueGraph graph_;
  std::map<InstRef, std::uint32_t> coords_;                // loads of TessCoord: first component
  std::map<InstRef, std::pair<Id, std::uint32_t>> loads_;  // of inputs: variable and vertex
  std::set<Id> known_loads_;
};

// Which inputs the shader wants in sums only. An instruction counts if all its components are such sums; whatever else
// is wanted, down to its operands, disqualifies the inputs in it.
class CodedInterpolation::Search {
 public:
  Search(const spirv::Module& module, const spirv::Function& function, const Reader& reader)
      : module_(module), function_(function), reader_(reader), sums_(reader.sums()) {}

  // Takes inputs out of `eligible` until what is left is wanted in sums only.
  void run(std::set<Id>& eligible) {
    find_weights(eligible);
    for (bool changed = true; changed;) {
      judge(eligible);
      changed = false;
      for (const ValueId value : wanted())
        if (reader_.is_input(value) && !seeded_fault("coded-sum-forgets-raw-reads"))
          changed = eligible.erase(reader_.graph()[value].words[0]) != 0 || changed;
    }
    std::erase_if(eligible, [&](Id input) { return weights_.count(input) == 0; });
  }

  const std::map<Id, Weights>& weights() const { return weights_; }

  // By result: the inputs of its components.
  std::map<Id, std::vector<Id>> sums_by_result() const {
    std::map<Id, std::vector<Id>> found;
    for (const Reader::Result& result : reader_.results) {
      if (!is_sum(result)) continue;
      for (const Ref ref : reader_.refs(result.id)) found[result.id].push_back(sums_[ref]->input);
    }
    return found;
  }

 private:
  // An input that is weighted in several ways is none.
  void find_weights(std::set<Id>& eligible) {
    for (const auto& sum : sums_) {
      if (!sum || !sum->is_complete()) continue;
      const auto [known, is_new] = weights_.try_emplace(sum->input, sum->weights);
      if (known->second != sum->weights) eligible.erase(sum->input);
    }
  }

  void judge(const std::set<Id>& eligible) {
    counts_.assign(sums_.size(), false);
    for (ValueId id = 0; id < sums_.size(); ++id)
      counts_[id] = sums_[id] && sums_[id]->is_complete() && eligible.count(sums_[id]->input) != 0;
    // A value that is also a component of something else has to be had there, too.
    for (const Reader::Result& result : reader_.results)
      if (!graph::ValueReader::is_rearrangement(module_[result.inst].op) && !is_sum(result))
        for (const Ref ref : reader_.refs(result.id)) counts_[ref] = false;
  }

  bool is_sum(const Reader::Result& result) const {
    const auto& refs = reader_.refs(result.id);
    return !graph::ValueReader::is_rearrangement(module_[result.inst].op) &&
           std::all_of(refs.begin(), refs.end(), [&](Ref ref) { return counts_[ref]; });
  }

  // Everything that instructions use which are no scalar operations, and what that is made of. Sums end it.
  std::set<ValueId> wanted() const {
    std::set<Id> scalar;
    for (const Reader::Result& result : reader_.results)
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
  const Reader& reader_;
  std::vector<std::optional<Sum>> sums_;  // by value
  std::vector<bool> counts_;              // by value: a complete sum of an eligible input wherever it is computed
  std::map<Id, Weights> weights_;
};

CodedInterpolation::CodedInterpolation(const Link& link, const std::map<Id, io::VariableAccesses>& candidates) {
  const LinkedStage& stage = *link.consumers.front();
  if (stage.stage != Stage::tess_eval || candidates.empty() || !is_triangular(link)) return;
  tess_coord_ = find_tess_coord(stage);
  if (tess_coord_ == 0) return;
  const spirv::Function& function = *stage.module.function(stage.entry.function);
  const std::vector<bool> built_in = analysis::reaches_built_in(stage.module, function);
  Reader reader(stage, tess_coord_);
  std::set<Id> eligible;
  for (const auto& [variable, accesses] : candidates) {
    const bool fits = std::all_of(accesses.accesses.begin(), accesses.accesses.end(), [&](const auto& access) {
      return access.kind == io::PointerAccess::Kind::load && !access.indices.empty() &&
             Reader::constant_of(stage.module, access.indices.front()) &&
             (!built_in[stage.module[access.inst].result] || seeded_fault("coded-sum-of-position"));
    });
    if (!fits) continue;
    eligible.insert(variable);
    reader.add_input(variable, accesses);
  }
  if (eligible.empty()) return;
  reader.run();
  Search search(stage.module, function, reader);
  search.run(eligible);
  for (const Id input : eligible) inputs_.emplace(input, search.weights().at(input));
  sums_ = search.sums_by_result();
}

std::vector<Id> CodedInterpolation::summed(Id result) const {
  const auto found = sums_.find(result);
  return found == sums_.end() ? std::vector<Id>{} : found->second;
}

}  // namespace varylink::link
