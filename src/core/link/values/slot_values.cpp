#include "link/values/slot_values.h"

#include <algorithm>
#include <tuple>

#include "base/seeded_fault.h"
#include "link/values/equal_components.h"
#include "spirv/ir/globals.h"
#include "spirv/ir/input_reads.h"
#include "varyings/reflect/pointer_access.h"

namespace varylink::link {
namespace {

using spirv::Id;
using spirv::InstRef;
using spirv::Module;

std::optional<ScalarValue> constant_value(const Module& module, Id value) {
  const InstRef def = module.def(value);
  if (!def) return std::nullopt;
  ScalarValue result;
  result.kind = ScalarValue::Kind::constant;
  const auto scalar = varyings::scalar_type_of(module, module[def].type);
  if (!scalar || spirv::component_count(module, module[def].type) != 1) return std::nullopt;
  switch (module[def].op) {
    case spv::Op::OpConstant:
      for (const spirv::Operand& operand : module.operands(def)) result.bits.push_back(operand.word);
      return result;
    case spv::Op::OpConstantNull: result.bits.assign(scalar->width == 64 ? 2 : 1, 0); return result;
    default: return std::nullopt;
  }
}

constexpr std::size_t kMostPhis = 256;  // that are seen through for one value (rule)

// A phi that merges one constant with nothing defined is that constant, also by way of other phis: where the path did
// not store, the value is undefined and may as well be the constant (rule ).
std::optional<ScalarValue> constant_phi(const Module& module, InstRef phi) {
  std::optional<ScalarValue> merged;
  std::vector<InstRef> phis = {phi};
  for (std::size_t next = 0; next < phis.size(); ++next)
    for (std::uint32_t i = 0; i < module.operands(phis[next]).size(); i += 2) {
      const Id incoming = module.operand(phis[next], i).word;
      if (module.def_op(incoming) == spv::Op::OpUndef) continue;
      if (module.def_op(incoming) == spv::Op::OpPhi) {
        const InstRef def = module.def(incoming);
        if (std::find(phis.begin(), phis.end(), def) == phis.end()) phis.push_back(def);
        if (phis.size() > kMostPhis) return std::nullopt;
        continue;
      }
      const auto value = constant_value(module, incoming);
      if (seeded_fault("constant-phi-takes-first-arm") && merged) continue;
      if (!value || (merged && *merged != *value)) return std::nullopt;
      merged = value;
    }
  return merged;
}

// The operand of a bit cast between scalars of one width, `value` itself if it is none: the bits are the same.
Id below_casts(const Module& module, Id value) {
  while (module.def_op(value) == spv::Op::OpBitcast) {
    const Id inner = module.operand(module.def(value), 0).word;
    const auto to = varyings::scalar_type_of(module, module.type_of(value));
    const auto from = varyings::scalar_type_of(module, module.type_of(inner));
    if (!to || !from || to->width != from->width || spirv::component_count(module, module.type_of(value)) != 1 ||
        spirv::component_count(module, module.type_of(inner)) != 1)
      break;
    value = inner;
  }
  return value;
}

ScalarValue scalar_value_below(const Module& module, Id value) {
  if (const auto constant = constant_value(module, value)) return *constant;
  ScalarValue result;
  const InstRef def = module.def(value);
  if (!def || module[def].op == spv::Op::OpUndef) return result;
  if (module[def].op == spv::Op::OpPhi)
    if (const auto constant = constant_phi(module, def)) return *constant;
  result.kind = ScalarValue::Kind::computed;
  result.id = value;
  if (module[def].op == spv::Op::OpCompositeExtract && module.operands(def).size() == 2) {
    const Id vector = module.operand(def, 0).word;
    if (module.def_op(vector) == spv::Op::OpUndef) return ScalarValue{};
    if (spirv::component_count(module, module.type_of(vector)) > 1) {
      result.id = vector;
      result.component = seeded_fault("value-forgets-component")
                             ? 0
                             : first_equal_component(module, vector, module.operand(def, 1).word);
    }
  }
  return result;
}

}  // namespace

ScalarValue scalar_value(const Module& module, Id value) {
  return scalar_value_below(module, below_casts(module, value));
}

bool stores_nothing_defined(const SlotStores& stores) {
  return std::all_of(stores.stores.begin(), stores.stores.end(),
                     [](const SlotStore& store) { return store.value.kind == ScalarValue::Kind::undefined; });
}

std::optional<std::vector<std::uint32_t>> common_constant(const SlotStores& stores) {
  std::optional<std::vector<std::uint32_t>> constant;
  for (const SlotStore& store : stores.stores) {
    if (store.value.kind == ScalarValue::Kind::undefined) continue;
    if (seeded_fault("constant-ignores-computed-store") && store.value.kind != ScalarValue::Kind::constant) continue;
    if (store.value.kind != ScalarValue::Kind::constant) return std::nullopt;
    if (seeded_fault("constant-ignores-other-constant") && constant) continue;
    if (constant && *constant != store.value.bits) return std::nullopt;
    constant = store.value.bits;
  }
  return constant;
}

StoreTable::StoreTable(const LinkedStage& producer) {
  const Module& module = producer.module;
  const spirv::Uses uses(module);
  spirv::InputReads input_reads(module);
  const auto value_of = [&](Id stored) {
    ScalarValue value = scalar_value(module, stored);
    if (value.kind == ScalarValue::Kind::computed)
      std::tie(value.id, value.component) = input_reads.first_alike(value.id, value.component);
    return value;
  };
  std::vector<std::uint32_t> order(module.inst_count(), 0);
  std::uint32_t position = 0;
  for (const spirv::Function& function : module.functions)
    for (const spirv::Block& block : function.blocks)
      for (const InstRef inst : block.body) order[inst.index] = position++;
  for (const varyings::Varying& output : producer.outputs) {
    if (output.form != varyings::Varying::Form::scalar) continue;
    SlotStores entry;
    entry.output = &output;
    for (const varyings::PointerAccess& access : varyings::accesses_of(module, uses, output.variable).accesses) {
      if (access.kind == varyings::PointerAccess::Kind::store)
        entry.stores.push_back({access.inst, value_of(module.operand(access.inst, 1).word), access.indices});
      else
        entry.read_back = true;
    }
    std::sort(entry.stores.begin(), entry.stores.end(),
              [&](const SlotStore& a, const SlotStore& b) { return order[a.inst.index] < order[b.inst.index]; });
    slots_.emplace(output.slot, std::move(entry));
  }
}

const SlotStores* StoreTable::find(varyings::Slot slot) const {
  const auto found = slots_.find(slot);
  return found == slots_.end() ? nullptr : &found->second;
}

std::vector<std::uint32_t> segments_of(const Module& module) {
  std::vector<std::uint32_t> segments(module.inst_count(), 0);
  for (const spirv::Function& function : module.functions)
    for (const spirv::Block& block : function.blocks) {
      std::uint32_t segment = 0;
      for (const InstRef inst : block.body) {
        segments[inst.index] = segment;
        const spv::Op op = module[inst].op;
        segment += op == spv::Op::OpEmitVertex || op == spv::Op::OpEmitStreamVertex;
        // A function that stays may have any of these.
        segment += op == spv::Op::OpFunctionCall;
        if (!seeded_fault("store-points-ignore-barriers"))  // rule
          segment += op == spv::Op::OpControlBarrier || op == spv::Op::OpMemoryBarrier;
      }
    }
  return segments;
}

}  // namespace varylink::link
