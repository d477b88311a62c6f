#include "spirv/cleanup/constant_tables.h"

#include <optional>
#include <vector>

#include "spirv/ir/code_edit.h"
#include "spirv/ir/globals.h"
#include "spirv/ir/uses.h"

namespace varylink::spirv {
namespace {

bool is_constant_composite(const Module& module, Id value) {
  const spv::Op op = module.def_op(value);
  return op == spv::Op::OpConstantComposite || op == spv::Op::OpConstantNull;
}

bool is_plain_load(const Module& module, InstRef use) {
  return module[use].op == spv::Op::OpLoad && module.operands(use).size() == 1;
}

// Whether all that is done to the pointer is to load from it, or from parts of it.
bool is_only_loaded(const Module& module, const Uses& uses, Id pointer) {
  for (const InstRef use : uses.of(pointer)) {
    const bool is_chain = module[use].op == spv::Op::OpAccessChain || module[use].op == spv::Op::OpInBoundsAccessChain;
    if (!is_plain_load(module, use) && !(is_chain && is_only_loaded(module, uses, module[use].result))) return false;
  }
  return true;
}

// A variable that is a table, with the constant and the stores of it.
struct Table {
  Id value = 0;
  std::vector<InstRef> stores;
};

std::optional<Table> table_of(const Module& module, const Uses& uses, InstRef variable) {
  Table table;
  const Id id = module[variable].result;
  if (module.operands(variable).size() > 1) table.value = module.operand(variable, 1).word;
  for (const InstRef use : uses.of(id)) {
    const spv::Op op = module[use].op;
    if (op == spv::Op::OpStore && module.operands(use).size() == 2 && module.operand(use, 0).word == id) {
      const Id stored = module.operand(use, 1).word;
      if (table.value != 0 && table.value != stored) return std::nullopt;
      table.value = stored;
      table.stores.push_back(use);
    } else if (op == spv::Op::OpAccessChain || op == spv::Op::OpInBoundsAccessChain) {
      if (!is_only_loaded(module, uses, module[use].result)) return std::nullopt;
    } else if (!is_plain_load(module, use)) {
      return std::nullopt;
    }
  }
  if (table.stores.empty() || !is_constant_composite(module, table.value)) return std::nullopt;
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
