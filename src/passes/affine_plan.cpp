#include "passes/affine_plan.h"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <type_traits>

#include "analysis/discontinuity.h"
#include "base/seeded_fault.h"
#include "graph/affine_code.h"
#include "io/pointer_access.h"
#include "passes/value_cost.h"

namespace varylink::passes {
namespace {

using graph::AffineForms;
using graph::AffineSum;
using graph::Monomial;
using graph::Value;
using graph::ValueId;
using graph::ValueKind;
using io::ScalarKind;
using io::ScalarType;
using io::Varying;
using link::find_varying;

// Products of uniforms by which sent values are multiplied to find combinations.
constexpr std::size_t kMostFactors = 8;

bool is_candidate(const Varying& input, const Varying* output) {
  return output && input.form == Varying::Form::scalar && input.scalar.width == 32 && !input.interpolation.per_vertex;
}

// What comes first is sent, if it can be chosen. Nothing divides by a uniform, so that what is multiplied by fewer of
// them comes first; then the forms of fewer and smaller terms, of which the others are well-conditioned sums.
template <typename Number>
std::tuple<std::size_t, std::size_t, double> complexity_of(const graph::AffineForm<Number>& form) {
  std::size_t uniforms = 0, atoms = 0;
  double magnitude = 0;
  for (const auto& [monomial, coefficient] : form) {
    if (!monomial.is_free()) uniforms += monomial.uniforms.size();
    if (!monomial.is_free()) ++atoms;
    if constexpr (std::is_same_v<Number, double>)
      magnitude += std::abs(coefficient);
    else
      magnitude += std::min(coefficient, 0u - coefficient);
  }
  return {uniforms, atoms, magnitude};
}

// Loads only, and at least one: instructions that interpolate take the variable itself.
bool is_only_loaded(const io::VariableAccesses& accesses) {
  return !accesses.obstacle && !accesses.accesses.empty() &&
         std::all_of(accesses.accesses.begin(), accesses.accesses.end(), [](const io::PointerAccess& access) {
           return access.kind == io::PointerAccess::Kind::load && access.indices.empty();
         });
}

}  // namespace

AffinePlanner::AffinePlanner(const link::Link& link, bool keep_jumps, const link::PipelineLayout* layout)
    : link_(link),
      producer_(std::make_unique<link::ProducerValues>(*link.producers.front(), graph_)),
      layout_(layout),
      resources_(*link.consumers.front(), layout) {
  find_rows(keep_jumps);
}

void AffinePlanner::find_rows(bool keep_jumps) {
  const link::LinkedStage& consumer = *link_.consumers.front();
  const spirv::Function& function = *consumer.module.function(consumer.entry.function);
  const std::vector<bool> jumps = analysis::reaches_discontinuity(consumer.module, function);
  const spirv::Uses uses(consumer.module);
  for (const Varying& input : consumer.inputs) {
    const Varying* output = find_varying(link_.producers.front()->outputs, input.slot);
    const auto value = producer_->value(input.slot);
    if (!is_candidate(input, output) || !value || graph_[*value].type != input.scalar) continue;
    const io::VariableAccesses accesses = io::accesses_of(consumer.module, uses, input.variable);
    if (!is_only_loaded(accesses)) continue;
    const bool ends_in_jump =
        std::any_of(accesses.accesses.begin(), accesses.accesses.end(),
                    [&](const io::PointerAccess& access) { return jumps[consumer.module[access.inst].result]; });
    Row row{input.slot, *value};
    row.relaxed = input.relaxed_precision || output->relaxed_precision;
    row.stays = output->captured || has_exact_operation(*value) ||
                (keep_jumps && ends_in_jump && input.scalar.kind == ScalarKind::floating);
    const bool mixed = seeded_fault("affine-mixes-interpolations");
    const io::Interpolation interpolation = mixed ? io::Interpolation{} : input.interpolation;
    classes_[{interpolation, input.scalar, producer_->site_set(input.slot)}].push_back(row);
  }
}

// NoContraction says how the value itself is computed, at some exit or emit.
bool AffinePlanner::has_exact_operation(ValueId value) const {
  const Value& node = graph_[value];
  if (node.kind != ValueKind::sites) return node.exact;
  return std::any_of(node.operands.begin(), node.operands.end(),
                     [&](ValueId operand) { return graph_[operand].exact; });
}

bool AffinePlanner::is_free(ValueId wanted) {
  free_.resize(graph_.size(), -1);
  for (const ValueId part : parts_of(graph_, {wanted})) {
    if (free_[part] >= 0) continue;
    const Value& node = graph_[part];
    const bool is_same = node.kind != ValueKind::resource ||
                         is_same_resource(node, link_.report.producer, link_.report.consumer, layout_);
    free_[part] =
        is_same && resources_.can_evaluate(node) &&
        std::all_of(node.operands.begin(), node.operands.end(), [&](ValueId operand) { return free_[operand] == 1; });
  }
  return free_[wanted] == 1;
}

std::vector<RebuiltInput> AffinePlanner::candidates() {
  std::vector<RebuiltInput> result;
  for (const auto& [key, rows] : classes_) {
    const ScalarType type = std::get<ScalarType>(key);
    if (rows.size() < 2) continue;
    if (type.kind == ScalarKind::floating)
      reduce<double>(type, rows, result);
    else
      reduce<std::uint32_t>(type, rows, result);
  }
  std::sort(result.begin(), result.end(), [](const RebuiltInput& a, const RebuiltInput& b) { return a.slot < b.slot; });
  return result;
}

// Greedy, as for the basis of any matroid: what has to be sent first, then what is made of the least.
template <typename Number>
void AffinePlanner::reduce(ScalarType type, std::vector<Row> rows, std::vector<RebuiltInput>& result) {
  AffineForms<Number> forms(graph_, type, [this](ValueId value) { return is_free(value); });
  std::vector<ValueId> values;
  for (const Row& row : rows) values.push_back(row.value);
  forms.add(values);
  const auto rank_of = [&](const Row& row) {
    return std::tuple(!row.stays, row.relaxed, complexity_of(forms[row.value]), row.slot);
  };
  std::sort(rows.begin(), rows.end(), [&](const Row& a, const Row& b) { return rank_of(a) < rank_of(b); });
  // Full precision never comes from less.
  graph::AffineBasis<Number> full(factors_of<Number>(rows, forms)), any = full;
  std::vector<Row> sent_full, sent;
  for (const Row& row : rows) {
    const auto& form = forms[row.value];
    const auto sum = row.stays ? std::nullopt : (row.relaxed ? any : full).express(form);
    std::optional<RebuiltInput> rebuilt;
    if (sum) rebuilt = rebuild(row, row.relaxed ? sent : sent_full, type, *sum);
    if (rebuilt) {
      result.push_back(std::move(*rebuilt));
      continue;
    }
    any.send(form);
    sent.push_back(row);
    if (row.relaxed) continue;
    full.send(form);
    sent_full.push_back(row);
  }
}

template <typename Number>
std::vector<Monomial> AffinePlanner::factors_of(const std::vector<Row>& rows, const AffineForms<Number>& forms) const {
  std::set<Monomial> factors;
  for (const Row& row : rows)
    for (const auto& [monomial, coefficient] : forms[row.value])
      if (!monomial.is_free() && !monomial.uniforms.empty()) factors.insert({graph::kNoValue, monomial.uniforms});
  std::vector<Monomial> result(factors.begin(), factors.end());
  result.resize(std::min(result.size(), kMostFactors));
  return result;
}

template <typename Number>
std::optional<RebuiltInput> AffinePlanner::rebuild(const Row& row, const std::vector<Row>& sent, ScalarType type,
                                                   const AffineSum<Number>& sum) {
  std::vector<ValueId> values;
  for (const Row& each : sent) values.push_back(each.value);
  RebuiltInput input;
  input.slot = row.slot;
  for (const graph::AffineTerm<Number>& term : sum.terms) input.from.emplace(values[term.row], sent[term.row].slot);
  AffineSum<Number> used = sum;
  if (seeded_fault("affine-forgets-the-rest")) used.rest.clear();
  input.expression = graph::code_of(graph_, type, used, values);
  if (!is_worth_it(input)) return std::nullopt;
  return input;
}

// Calls act(value) for everything that the consumer has to compute or read.
template <typename Act>
void AffinePlanner::visit(const RebuiltInput& input, Act act) const {
  std::set<ValueId> seen;
  std::vector<ValueId> open = {input.expression};
  while (!open.empty()) {
    const ValueId value = open.back();
    open.pop_back();
    if (input.from.count(value) != 0 || !seen.insert(value).second) continue;
    act(value);
    open.insert(open.end(), graph_[value].operands.begin(), graph_[value].operands.end());
  }
}

bool AffinePlanner::is_worth_it(const RebuiltInput& input) {
  std::set<ValueId> once, each;  // what is uniform, and what differs from fragment to fragment
  visit(input, [&](ValueId value) { (is_free(value) ? once : each).insert(value); });
  return cost_of(graph_, each) <= kOperationsPerComponent &&
         cost_of(graph_, once) <= uniform_cost_limit(link_.report.consumer);
}

std::vector<const Value*> AffinePlanner::resources_of(const std::vector<RebuiltInput>& inputs) const {
  std::vector<const Value*> resources;
  for (const RebuiltInput& input : inputs)
    visit(input, [&](ValueId value) {
      if (graph_[value].kind == ValueKind::resource) resources.push_back(&graph_[value]);
    });
  return resources;
}

}  // namespace varylink::passes
