#include "passes/bits/bits_plan.h"

#include <algorithm>

#include "base/seeded_fault.h"
#include "graph/value_cost.h"
#include "varyings/reflect/pointer_access.h"

namespace varylink::passes {
namespace {

using graph::ValueId;
using graph::ValueRange;
using link::find_varying;
using spv::Op;
using varyings::ScalarKind;
using varyings::ScalarType;
using varyings::Varying;

constexpr std::uint32_t kMostPhisInPhis = 32;

bool has_capability(const spirv::Module& module, spv::Capability wanted) {
  return std::any_of(module.capabilities.begin(), module.capabilities.end(), [&](spirv::InstRef inst) {
    return static_cast<spv::Capability>(module.operand(inst, 0).word) == wanted;
  });
}

bool is_loaded_at_any_index(const varyings::VariableAccesses& accesses) {
  return !accesses.obstacle && !accesses.accesses.empty() &&
         std::all_of(accesses.accesses.begin(), accesses.accesses.end(),
                     [](const auto& access) { return access.kind == varyings::PointerAccess::Kind::load; });
}

// What the word saves is worth what it costs the consumer.
bool pays(const PackedWord& word) {
  double cost = 0;
  for (const PackedValue& each : word.values)
    cost += decoding_cost(each.value, each.place.offset, &each == &word.values.back());
  return word.values.size() > 1 && cost <= graph::kOperationsPerComponent * static_cast<double>(word.values.size() - 1);
}

}  // namespace

BitsPlanner::BitsPlanner(const link::Link& link)
    : link_(link),
      producer_module_(link.producers.front()->module),
      producer_(*link.producers.front(), graph_),
      table_(*link.producers.front()),
      ranges_(graph_, [this](ValueId leaf) { return leaf_range(leaf); }) {}

std::vector<PackedWord> BitsPlanner::run() {
  std::map<Class, std::vector<BitField>> classes;
  std::map<varyings::Slot, SmallValue> small;
  const link::LinkedStage& consumer = *link_.consumers.front();
  const spirv::Uses uses(consumer.module);
  for (const Varying& input : consumer.inputs) {
    const Varying* output = find_varying(link_.producers.front()->outputs, input.slot);
    const auto value = producer_.value(input.slot);
    if (!output || !value || !is_candidate(input, *output)) continue;
    if (!is_loaded_at_any_index(varyings::accesses_of(consumer.module, uses, input.variable))) continue;
    const auto judged = judge(input.scalar, *value);
    if (!judged) continue;
    small.emplace(input.slot, *judged);
    classes[{input.interpolation, input.patch, input.per_primitive, producer_.site_set(input.slot)}].push_back(
        {input.slot, judged->bits});
  }
  std::vector<PackedWord> result;
  for (const auto& [key, fields] : classes)
    for (const BitWord& fields_of_word : lay_out(fields)) {
      PackedWord word;
      word.sites = std::get<graph::SiteSetId>(key);
      for (const BitField& field : fields_of_word) word.values.push_back({small.at(field.slot), field});
      if (pays(word)) result.push_back(std::move(word));
    }
  std::sort(result.begin(), result.end(), [](const auto& a, const auto& b) { return a.slot() < b.slot(); });
  return result;
}

bool BitsPlanner::is_candidate(const Varying& input, const Varying& output) const {
  if (input.form != Varying::Form::scalar || output.form != Varying::Form::scalar) return false;
  if (output.captured || input.scalar != output.scalar) return false;
  if (input.relaxed_precision || output.relaxed_precision) return false;
  const bool is_exact = input.per_primitive || input.interpolation.per_vertex ||
                        input.interpolation == varyings::Interpolation{.flat = true};
  if (link_.consumer_interpolates() && !is_exact) return false;
  // One store at each place, so that what is stored there is known.
  return stores(input.slot).size() == producer_.sites(producer_.site_set(input.slot)).size();
}

// Two of them are bits of a word only where a stage may have vectors of them.
bool BitsPlanner::has_bits_of_halves(ScalarKind kind) const {
  const auto needed = kind == ScalarKind::floating ? spv::Capability::Float16 : spv::Capability::Int16;
  return has_capability(producer_module_, needed) && has_capability(link_.consumers.front()->module, needed);
}

std::optional<SmallValue> BitsPlanner::judge(ScalarType type, ValueId value) {
  if (type.width == 16 && has_bits_of_halves(type.kind)) {
    SmallValue half;
    half.kind = SmallValue::Kind::half;
    half.type = type;
    half.bits = 16;
    return half;
  }
  if (type.width != 32 || graph_[value].type != type) return std::nullopt;
  return small_value(type, ranges_.of(value));
}

ValueRange BitsPlanner::leaf_range(ValueId leaf) {
  const graph::Value& node = graph_[leaf];
  const spirv::InstRef def = producer_module_.def(node.words[0]);
  const ValueRange full = graph::full_range(node.type);
  if (!def) return full;
  const auto number = [&](std::uint32_t operand) {
    return varyings::constant_int(producer_module_, producer_module_.operand(def, operand).word);
  };
  switch (producer_module_[def].op) {
    case Op::OpPhi: return phi_range(def, node.words[1], node.type);
    case Op::OpBitCount: return {0, 32, {}};
    case Op::OpBitFieldUExtract:
      if (const auto count = number(2); count && *count >= 0 && *count < 32) return {0, (1LL << *count) - 1, {}};
      return full;
    case Op::OpBitFieldSExtract:
      if (node.type.kind != ScalarKind::sint) return full;
      if (const auto count = number(2); count && *count > 0 && *count < 32)
        return {-(1LL << (*count - 1)), (1LL << (*count - 1)) - 1, {}};
      return full;
    default: return full;
  }
}

// Where nothing was defined, any bits will do.
ValueRange BitsPlanner::phi_range(spirv::InstRef phi, std::uint32_t component, ScalarType type) {
  if (depth_ == kMostPhisInPhis) return graph::full_range(type);
  std::optional<ValueRange> result;
  ++depth_;
  for (std::uint32_t i = 0; i < producer_module_.operands(phi).size(); i += 2) {
    const spirv::Id incoming = producer_module_.operand(phi, i).word;
    if (producer_module_.def_op(incoming) == Op::OpUndef) continue;
    const auto value = producer_.component(incoming, component);
    const ValueRange range = value ? ranges_.of(*value) : graph::full_range(type);
    result = result ? graph::either(*result, range) : range;
    if (seeded_fault("bits-look-at-the-first-arm")) break;
  }
  --depth_;
  return result.value_or(graph::full_range(type));
}

}  // namespace varylink::passes
