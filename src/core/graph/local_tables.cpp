#include "graph/local_tables.h"

#include <algorithm>

#include "base/seeded_fault.h"
#include "spirv/ir/globals.h"
#include "spirv/ir/op_info.h"
#include "spirv/ir/scalar_view.h"
#include "varyings/reflect/interface_variable.h"
#include "varyings/reflect/pointer_access.h"

namespace varylink::graph {
namespace {

using spirv::Id;
using spirv::InstRef;
using spv::Op;

// Larger tables cost more to choose from than any component is worth (rule ).
constexpr std::uint32_t kMostElements = 64;

}  // namespace

bool LocalTables::may_be_lookup(const spirv::Module& module, InstRef load) {
  const InstRef chain = module.def(module.operand(load, 0).word);
  return chain && spirv::is_access_chain(module[chain].op) &&
         spirv::is_variable_in(module, module.operand(chain, 0).word, spv::StorageClass::Function);
}

LocalTables::LocalTables(const spirv::Module& module, const spirv::Function& function)
    : module_(module), cfg_(module, function), places_(spirv::places_of(module)) {
  const spirv::Uses uses(module);
  for (const spirv::Block& block : function.blocks)
    for (const InstRef inst : block.body)
      if (module[inst].op == Op::OpVariable)
        if (auto table = read(uses, inst)) tables_.emplace(module[inst].result, std::move(*table));
}

std::optional<LocalTables::Table> LocalTables::read(const spirv::Uses& uses, InstRef variable) const {
  const Id type = spirv::pointee_type(module_, module_[variable].type);
  const bool holds_elements = module_.def_op(type) == Op::OpTypeArray || module_.def_op(type) == Op::OpTypeVector;
  const std::uint32_t count = holds_elements ? spirv::element_count(module_, type) : 0;
  Table table;
  table.element_type = holds_elements ? spirv::element_type(module_, type) : 0;
  if (count == 0 || count > kMostElements || spirv::scalars_of_number(module_, table.element_type) == 0)
    return std::nullopt;
  table.elements.assign(count, {});
  const bool is_initialized = module_.operands(variable).size() > 1;
  if (is_initialized && !add_store(table, module_.operand(variable, 1).word, std::nullopt)) return std::nullopt;
  table.is_constant = is_initialized;
  const varyings::VariableAccesses accesses = varyings::accesses_of(module_, uses, module_[variable].result);
  if (accesses.obstacle) return std::nullopt;
  for (const varyings::PointerAccess& access : accesses.accesses) {
    if (!varyings::is_plain_access(module_, access)) return std::nullopt;
    if (access.kind != varyings::PointerAccess::Kind::store) continue;
    std::optional<std::uint32_t> element;
    if (!access.indices.empty()) {
      const auto index = spirv::constant_int(module_, access.indices.front());
      if (access.indices.size() > 1 || !index || *index < 0 || *index >= count) return std::nullopt;
      element = static_cast<std::uint32_t>(*index);
    }
    const Id value = module_.operand(access.inst, 1).word;
    if (!add_store(table, value, element)) return std::nullopt;
    if (!element && module_.def_op(value) == Op::OpConstantComposite) table.is_constant = true;
    table.stores.push_back({access.inst, element});
  }
  if (std::find(table.elements.begin(), table.elements.end(), TableElement{}) != table.elements.end())
    return std::nullopt;
  return table;
}

// False if an element would hold several values, one after the other or on different ways.
bool LocalTables::add_store(Table& table, Id value, std::optional<std::uint32_t> element) const {
  std::vector<TableElement> parts = {{value}};
  if (!element && module_.def_op(module_.type_of(value)) == Op::OpTypeVector) {
    for (std::uint32_t i = 1; i < table.elements.size(); ++i) parts.push_back({value, i});
  } else if (!element) {
    const InstRef def = module_.def(value);
    const Op op = module_.def_op(value);
    if (op != Op::OpConstantComposite && op != Op::OpCompositeConstruct) return false;
    parts.clear();
    for (const spirv::Operand& operand : module_.operands(def)) parts.push_back({operand.word});
    if (parts.size() != table.elements.size()) return false;
  }
  for (std::size_t i = 0; i < parts.size(); ++i) {
    TableElement& known = table.elements[element.value_or(i)];
    const bool is_known = known != TableElement{};
    if (is_known && known != parts[i] && !seeded_fault("tables-keep-their-first-value")) return false;
    if (!is_known) known = parts[i];
  }
  return true;
}

// Rule. A load that runs before the stores of a constant table reads nothing defined (rule ).
std::optional<TableLookup> LocalTables::lookup(InstRef load) const {
  if (!may_be_lookup(module_, load)) return std::nullopt;
  const auto operands = module_.operands(module_.def(module_.operand(load, 0).word));
  const auto found = tables_.find(operands[0].word);
  if (found == tables_.end() || operands.size() < 2) return std::nullopt;
  const Table& table = found->second;
  for (std::uint32_t i = 0; i < table.elements.size() && !table.is_constant; ++i)
    if (std::none_of(table.stores.begin(), table.stores.end(),
                     [&](const Store& store) { return store.element.value_or(i) == i && precedes(store.inst, load); }))
      return std::nullopt;
  std::uint32_t first_component = 0;
  Id type = table.element_type;
  for (const spirv::Operand& operand : operands.subspan(2)) {
    const auto index = spirv::constant_int(module_, operand.word);
    if (!index || *index < 0 || *index >= spirv::element_count(module_, type)) return std::nullopt;
    type = spirv::element_type(module_, type);
    first_component += static_cast<std::uint32_t>(*index) * spirv::scalars_of_number(module_, type);
  }
  TableLookup result{operands[1].word, table.elements};
  for (TableElement& element : result.elements) element.first_component += first_component;
  return result;
}

bool LocalTables::precedes(InstRef store, InstRef load) const {
  if (seeded_fault("tables-are-filled-anywhere")) return true;
  return cfg_.precedes(places_[store.index], places_[load.index]);
}

}  // namespace varylink::graph
