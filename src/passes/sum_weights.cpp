#include "passes/sum_weights.h"

#include <algorithm>
#include <bit>

#include "analysis/built_in_slice.h"
#include "analysis/discontinuity.h"
#include "base/seeded_fault.h"
#include "graph/value_writer.h"
#include "link/values/bilinear_forms.h"
#include "link/values/patch_values.h"
#include "spirv/cleanup/fold_identities.h"
#include "spirv/ir/cfg.h"
#include "spirv/ir/code_edit.h"
#include "spirv/ir/op_info.h"

namespace varylink::passes {
namespace {

using graph::Ref;
using graph::ValueId;
using link::LinkedStage;
using link::PatchValues;
using spirv::Id;
using spirv::InstRef;

constexpr varyings::ScalarType kFloat{varyings::ScalarKind::floating, 32};

// One value, weighted: products of it with components of TessCoord, a bit for each, over a triangle, or in any other
// way that is known to sum to one.
struct Sum {
  ValueId value = graph::kNoValue;
  std::uint32_t weights = 0;
  bool is_one = false;

  bool is_complete() const {
    return is_one || weights == (1u << link::kTriangle) - 1 || (seeded_fault("weights-two-are-enough") && weights == 3);
  }
};

std::optional<Sum> add(const Sum& a, const Sum& b) {
  if (a.value != b.value) return std::nullopt;
  if ((a.weights & b.weights) != 0 && !seeded_fault("weights-may-repeat")) return std::nullopt;
  return Sum{a.value, a.weights | b.weights, false};
}

class WeightRewriter {
 public:
  WeightRewriter(LinkedStage& stage, Id tess_coord, bool over_triangles, bool crosses_discontinuities)
      : stage_(stage),
        module_(stage.module),
        values_(stage, tess_coord),
        cfg_(module_, function()),
        places_(spirv::places_of(module_)),
        fixed_(analysis::reaches_built_in(module_, function())) {
    const std::vector<bool> stops_rounding = analysis::stops_rounding(module_, function(), crosses_discontinuities);
    for (std::size_t id = 0; id < fixed_.size(); ++id) fixed_[id] = fixed_[id] || stops_rounding[id];
    values_.run();
    sums_.resize(values_.graph().size());
    if (over_triangles)
      sums_ = link::weighted_sums<Sum>(
          values_.graph(), [&](ValueId a, ValueId b) { return product(a, b); }, add);
    add_bilinear_sums();
    for (const PatchValues::Result& result : values_.results())
      for (std::uint32_t i = 0; i < values_.refs(result.id).size(); ++i)
        origins_[values_.refs(result.id)[i]].emplace_back(result.id, i);
  }

  // True if something changed.
  template <typename MayChange>
  Result<bool> run(MayChange may_change) {
    std::vector<InstRef> found;
    for (const PatchValues::Result& result : values_.results())
      if (is_sum(result) && may_change()) found.push_back(result.inst);
    if (found.empty()) return false;
    spirv::Globals globals(module_);
    bool complete = true;
    for (const InstRef inst : found) complete = rewrite(inst, globals) && complete;
    if (!complete) return graph::incomplete_value(stage_.file);
    edit_.apply(module_, stage_.entry.function);
    return true;
  }

 private:
  const spirv::Function& function() const { return *module_.function(stage_.entry.function); }

  std::optional<Sum> product(ValueId a, ValueId b) const {
    if (values_.is_barycentric(a)) std::swap(a, b);
    if (values_.is_barycentric(a) || !values_.is_barycentric(b)) return std::nullopt;
    return Sum{a, 1u << values_.graph()[b].words[1], false};
  }

  // Sums of one value with itself whose weights are linear in the coordinates (rule ). What no coordinate is part
  // of is no interpolation.
  void add_bilinear_sums() {
    const graph::ValueGraph& graph = values_.graph();
    const link::BilinearForms forms(values_, [](ValueId, ValueId) { return false; });
    std::map<std::vector<std::uint32_t>, ValueId> constants;
    std::vector<bool> is_placed(graph.size());
    for (ValueId id = 0; id < graph.size(); ++id) {
      const graph::Value& value = graph[id];
      if (value.kind == graph::ValueKind::constant && value.type == kFloat) constants.emplace(value.words, id);
      is_placed[id] = values_.is_barycentric(id) || std::any_of(value.operands.begin(), value.operands.end(),
                                                                [&](ValueId operand) { return is_placed[operand]; });
      if (value.kind != graph::ValueKind::operation || !is_placed[id] || forms[id].size() != 1) continue;
      const auto& [base, weight] = forms[id].front();
      const bool is_level = std::count(weight.begin(), weight.end(), weight.front()) == 4;
      if (!is_level) continue;
      if (base != graph::kNoValue && base != id && weight == link::kOne) sums_[id] = Sum{base, 0, true};
      if (base != graph::kNoValue) continue;
      const auto number = constants.find({std::bit_cast<std::uint32_t>(static_cast<float>(weight.front()))});
      if (number != constants.end()) sums_[id] = Sum{number->second, 0, true};
    }
  }

  bool is_complete(ValueId value) const { return sums_[value] && sums_[value]->is_complete(); }

  // Some component is a value times one. What is computed for others as well is split.
  bool is_sum(const PatchValues::Result& result) const {
    const auto& refs = values_.refs(result.id);
    return !spirv::is_rearrangement(module_[result.inst].op) && !fixed_[result.id] &&
           std::any_of(refs.begin(), refs.end(), [&](Ref ref) { return is_complete(ref); }) &&
           module_.def_op(module_[result.inst].type) != spv::Op::OpTypeMatrix;
  }

  bool rewrite(InstRef inst, spirv::Globals& globals) {
    spirv::Emitter emitter(module_, globals);
    emitter.write_to(edit_.before(inst));
    const graph::Resources none(module_);
    const auto known = [&](ValueId value) { return existing(value, inst, emitter); };
    graph::ValueWriter writer(values_.graph(), module_, globals, emitter, none, known);
    std::vector<spirv::Operand> parts;
    for (const Ref ref : values_.refs(module_[inst].result))
      parts.push_back(spirv::id(writer.write(is_complete(ref) ? sums_[ref]->value : ref)));
    module_.rewrite(inst, parts.size() == 1 ? spv::Op::OpCopyObject : spv::Op::OpCompositeConstruct, parts);
    return writer.is_complete();
  }

  // Where the value is to be had in front of an instruction. Parts of sums are written anew, component by component.
  Id existing(ValueId value, InstRef inst, spirv::Emitter& emitter) {
    const auto found = origins_.find(value);
    if (found != origins_.end() && !sums_[value])
      for (const auto& [id, component] : found->second)
        if (cfg_.precedes(places_[module_.def(id).index], places_[inst.index]) &&
            module_.def_op(module_.type_of(id)) != spv::Op::OpTypeMatrix)
          return component_of(id, component, emitter);
    // Specialization constants are leaves that no instruction of a function defines, but that some may be made of.
    const graph::Value& node = values_.graph()[value];
    return node.kind == graph::ValueKind::leaf ? component_of(node.words[0], node.words[1], emitter) : 0;
  }

  Id component_of(Id id, std::uint32_t component, spirv::Emitter& emitter) {
    const Id type = module_.type_of(id);
    if (module_.def_op(type) != spv::Op::OpTypeVector) return id;
    return emitter.extract(spirv::element_type(module_, type), id, component);
  }

  LinkedStage& stage_;
  spirv::Module& module_;
  PatchValues values_;
  spirv::Cfg cfg_;
  std::vector<spirv::Place> places_;
  std::vector<bool> fixed_;               // by id
  std::vector<std::optional<Sum>> sums_;  // by value
  std::map<ValueId, std::vector<std::pair<Id, std::uint32_t>>> origins_;
  spirv::CodeEdit edit_;
};

}  // namespace

Result<Progress> sum_weights(link::Link& link, PassContext& context) {
  if (link.producers.size() != 1 || link.consumers.size() != 1) return Progress::none;
  LinkedStage& stage = *link.consumers.front();
  if (stage.stage != Stage::tess_eval) return Progress::none;
  const Id tess_coord = link::find_tess_coord(stage);
  if (tess_coord == 0 || stage.reaches_capture || !spirv::allows_identities(stage.module)) return Progress::none;
  WeightRewriter rewriter(stage, tess_coord, link::has_triangles(link), context.options().moves_discontinuous());
  const Result<bool> changed = rewriter.run([&] { return context.spend_fuel(); });
  if (!changed) return changed.error();
  if (!*changed) return Progress::none;
  link.unrecorded_change = true;
  return Progress::consumer;
}

}  // namespace varylink::passes
