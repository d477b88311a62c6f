#include "passes/equal_elements.h"

#include <algorithm>
#include <map>
#include <set>

#include "spirv/ir/code_edit.h"
#include "spirv/ir/emitter.h"
#include "spirv/ir/uses.h"
#include "varyings/reflect/pointer_access.h"

namespace varylink::passes {
namespace {

using link::LinkedStage;
using spirv::Id;
using spirv::InstRef;
using spirv::Module;
using varyings::PointerAccess;
using varyings::Varying;

// Elements of an array variable, 0 if it is none.
std::uint32_t length_of(const Module& module, Id variable) {
  return varyings::array_length(module, spirv::pointee_type(module, module.type_of(variable))).value_or(0);
}

bool has_equal_parts(const Module& module, Id value) {
  const spv::Op op = module.def_op(value);
  if (op == spv::Op::OpConstantNull) return true;
  if (op != spv::Op::OpCompositeConstruct && op != spv::Op::OpConstantComposite) return false;
  const auto parts = module.operands(module.def(value));
  return std::all_of(parts.begin(), parts.end(), [&](spirv::Operand part) { return part == parts.front(); });
}

// Stores to single elements of one block.
struct ElementStores {
  std::set<std::uint32_t> elements;
  Id value = 0;
  std::uint32_t first = 0, last = 0;  // places in the block
  bool agree = true;
};

// The elements differ in between, where this would hand them on, or give all of them another value.
bool is_interrupted(const Module& module, const spirv::Block& block, const ElementStores& stores, Id variable) {
  return std::any_of(block.body.begin() + stores.first, block.body.begin() + stores.last, [&](InstRef inst) {
    const spv::Op op = module[inst].op;
    return op == spv::Op::OpEmitVertex || op == spv::Op::OpEmitStreamVertex || op == spv::Op::OpFunctionCall ||
           (op == spv::Op::OpStore && module.operand(inst, 0).word == variable);
  });
}

// Whether the elements are equal wherever the stage hands them on: each store is of the whole array, or one of a block
// that stores all elements.
bool stores_equal_elements(const LinkedStage& producer, const Varying& output) {
  const Module& module = producer.module;
  const std::uint32_t length = length_of(module, output.variable);
  const varyings::VariableAccesses accesses = varyings::accesses_of(module, spirv::Uses(module), output.variable);
  if (length == 0 || accesses.obstacle) return false;
  const std::vector<spirv::Place> places = spirv::places_of(module);
  std::map<std::pair<std::uint32_t, std::uint32_t>, ElementStores> blocks;
  for (const PointerAccess& access : accesses.accesses) {
    if (access.kind != PointerAccess::Kind::store || access.indices.size() > 1) return false;
    const Id value = module.operand(access.inst, 1).word;
    if (access.indices.empty() && !has_equal_parts(module, value)) return false;
    if (access.indices.empty()) continue;
    const auto element = varyings::constant_int(module, access.indices.front());
    if (!element) return false;
    const spirv::Place place = places[access.inst.index];
    const auto [entry, is_new] = blocks.try_emplace({place.function, place.block});
    ElementStores& stores = entry->second;
    if (is_new) stores = {{}, value, place.index, place.index, true};
    stores.elements.insert(static_cast<std::uint32_t>(*element));
    stores.agree = stores.agree && stores.value == value;
    stores.first = std::min(stores.first, place.index);
    stores.last = std::max(stores.last, place.index);
  }
  return std::all_of(blocks.begin(), blocks.end(), [&](const auto& block) {
    const auto& [where, stores] = block;
    return stores.agree && stores.elements.size() == length &&
           !is_interrupted(module, module.functions[where.first].blocks[where.second], stores, output.variable);
  });
}

// The loads of the input, none if it is reached in any other way or nowhere at an unknown index.
std::vector<PointerAccess> loads_at_unknown_index(const Module& module, const Varying& input) {
  const varyings::VariableAccesses accesses = varyings::accesses_of(module, spirv::Uses(module), input.variable);
  const auto is_load = [](const PointerAccess& access) {
    return access.kind == PointerAccess::Kind::load && !access.indices.empty();
  };
  const auto is_unknown = [&](const PointerAccess& access) {
    return !varyings::constant_int(module, access.indices.front());
  };
  const auto& all = accesses.accesses;
  if (accesses.obstacle || !std::all_of(all.begin(), all.end(), is_load)) return {};
  return std::any_of(all.begin(), all.end(), is_unknown) ? all : std::vector<PointerAccess>();
}

void read_first(LinkedStage& consumer, const Varying& input, const std::vector<PointerAccess>& loads) {
  Module& module = consumer.module;
  spirv::Globals globals(module);
  spirv::Emitter emitter(module, globals);
  spirv::CodeEdit edit;
  for (const PointerAccess& access : loads) {
    std::vector<Id> indices = access.indices;
    indices.front() = globals.uint_constant(0);
    emitter.write_to(edit.before(access.inst));
    const Id type = module[access.inst].type;
    edit.replace(module[access.inst].result,
                 emitter.load(type, emitter.chain(spv::StorageClass::Input, type, input.variable, indices)));
    edit.remove(access.inst);
  }
  edit.apply(module, consumer.entry.function);
  module.sweep();
}

}  // namespace

Result<Progress> read_first_element(link::Link& link, PassContext& context) {
  if (link.is_shared() || link.consumers.empty()) return Progress::none;
  const LinkedStage& producer = *link.producers.front();
  LinkedStage& consumer = *link.consumers.front();
  if (consumer.stage != Stage::fragment || producer.stage == Stage::mesh) return Progress::none;
  Progress progress = Progress::none;
  for (const Varying& input : consumer.inputs) {
    const Varying* output = link::find_varying(producer.outputs, input.slot);
    const bool fits = input.form == Varying::Form::unsplit && output && output->form == Varying::Form::unsplit &&
                      input.slots == output->slots && length_of(consumer.module, input.variable) > 1 &&
                      length_of(consumer.module, input.variable) == length_of(producer.module, output->variable);
    if (!fits || varyings::decorations_of(consumer.module, input.variable).has(spv::Decoration::PerVertexKHR)) continue;
    const std::vector<PointerAccess> loads = loads_at_unknown_index(consumer.module, input);
    if (loads.empty() || !stores_equal_elements(producer, *output) || !context.spend_fuel()) continue;
    read_first(consumer, input, loads);
    progress = progress | Progress::consumer;
  }
  return progress;
}

}  // namespace varylink::passes
