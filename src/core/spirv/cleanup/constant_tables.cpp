#include <algorithm>
#include <optional>
#include <vector>

#include "spirv/cleanup/clean_ups.h"
#include "spirv/ir/code_edit.h"
#include "spirv/ir/globals.h"
#include "spirv/ir/memory_operands.h"
#include "spirv/ir/op_info.h"
#include "spirv/ir/uses.h"

namespace varylink::spirv {
namespace {

bool is_constant_composite(const Module& module, Id value) {
  const spv::Op op = module.def_op(value);
  return op == spv::Op::OpConstantComposite || op == spv::Op::OpConstantNull;
}

bool is_plain_store_to(const Module& module, InstRef use, Id pointer) {
  return is_plain_store(module, use) && module.operand(use, 0).word == pointer;
}

// A variable that is a table, with the constant and the stores of it.
struct Table {
  Id value = 0;
  std::vector<InstRef> stores;  // of the whole table, then of elements with the pointers that nothing else needs
  std::vector<InstRef> element_stores;
};

// What is done to a pointer into the table: it is loaded from, and elements are stored.
bool collect_element_uses(const Module& module, const Uses& uses, Id pointer, bool is_element, Table& table) {
  for (const InstRef use : uses.of(pointer)) {
    if (is_element && is_plain_store_to(module, use, pointer)) {
      table.element_stores.push_back(use);
    } else if (is_access_chain(module[use].op)) {
      if (!collect_element_uses(module, uses, module[use].result, false, table)) return false;
    } else if (!is_plain_load(module, use)) {
      return false;
    }
  }
  return true;
}

// The store gives the element what the constant has there, or has everywhere if the index is unknown.
bool stores_what_is_there(const Module& module, Id constant, InstRef store) {
  if (module.def_op(constant) != spv::Op::OpConstantComposite) return false;
  const Operand stored = module.operand(store, 1);
  const auto parts = module.operands(module.def(constant));
  const auto index = constant_index(module, module.operand(module.def(module.operand(store, 0).word), 1).word);
  if (index) return *index < parts.size() && parts[*index] == stored;
  return std::all_of(parts.begin(), parts.end(), [&](const Operand& part) { return part == stored; });
}

std::optional<Table> table_of(const Module& module, const Uses& uses, InstRef variable) {
  Table table;
  const Id id = module[variable].result;
  if (module.operands(variable).size() > 1) table.value = module.operand(variable, 1).word;
  for (const InstRef use : uses.of(id)) {
    if (is_plain_store_to(module, use, id)) {
      const Id stored = module.operand(use, 1).word;
      if (table.value != 0 && table.value != stored) return std::nullopt;
      table.value = stored;
      table.stores.push_back(use);
    } else if (is_access_chain(module[use].op)) {
      const bool is_element = module.operands(use).size() == 2;
      if (!collect_element_uses(module, uses, module[use].result, is_element, table)) return std::nullopt;
    } else if (!is_plain_load(module, use)) {
      return std::nullopt;
    }
  }
  if (table.value == 0 || !is_constant_composite(module, table.value)) return std::nullopt;
  for (const InstRef store : table.element_stores) {
    if (!stores_what_is_there(module, table.value, store)) return std::nullopt;
    table.stores.push_back(store);
    const Id pointer = module.operand(store, 0).word;
    if (uses.of(pointer).size() == 1) table.stores.push_back(module.def(pointer));
  }
  if (table.stores.empty()) return std::nullopt;
  return table;
}

std::vector<InstRef> stored_arrays(const Module& module, const Function& function) {
  std::vector<InstRef> arrays;
  if (function.blocks.empty()) return arrays;
  for (const InstRef inst : function.blocks.front().body)
    if (module[inst].op == spv::Op::OpVariable &&
        module.def_op(pointee_type(module, module[inst].type)) == spv::Op::OpTypeArray)
      arrays.push_back(inst);
  return arrays;
}

}  // namespace

bool initialize_tables(Module& module, Id function) {
  const Function* code = module.function(function);
  const std::vector<InstRef> arrays = code == nullptr ? std::vector<InstRef>() : stored_arrays(module, *code);
  if (arrays.empty()) return false;
  const Uses uses(module);
  CodeEdit edit;
  bool changed = false;
  for (const InstRef variable : arrays) {
    const std::optional<Table> table = table_of(module, uses, variable);
    if (!table) continue;
    module.rewrite(variable, spv::Op::OpVariable, {module.operand(variable, 0), id(table->value)});
    for (const InstRef store : table->stores) edit.remove(store);
    changed = true;
  }
  if (changed) edit.apply(module, function);
  return changed;
}

}  // namespace varylink::spirv
