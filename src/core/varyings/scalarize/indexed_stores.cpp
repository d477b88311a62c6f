#include "varyings/scalarize/indexed_stores.h"

#include <algorithm>
#include <deque>
#include <map>
#include <utility>
#include <vector>

#include "spirv/ir/code_edit.h"
#include "spirv/ir/emitter.h"
#include "spirv/ir/globals.h"
#include "spirv/ir/operations.h"
#include "varyings/reflect/pointer_access.h"
#include "varyings/scalarize/scalarize_plan.h"

namespace varylink::varyings {
namespace {

using spirv::Id;
using spirv::InstRef;
using spirv::Module;
using spirv::Operand;
using Kind = PointerAccess::Kind;

constexpr std::uint32_t kMaxArrayComponents = 128;
constexpr std::size_t kMaxIndexedStores = 4;

// Instructions whose result is uniform where their operands are, as uniform expressions have them.
bool is_arithmetic(spv::Op op) {
  const spirv::OperationRow& row = spirv::row_of(op);
  return row.is(spirv::kOperandsOnly) && (row.is_scalar_operation() || row.is(spirv::kArranges));
}

// Values that are made of constants and shared loads.
class SharedValues {
 public:
  SharedValues(const Module& module, const IsSharedLoad& is_shared) : module_(module), is_shared_(is_shared) {}

  // Without recursion: chains of operations may be longer than a stack is deep.
  bool holds(Id value) {
    std::vector<Id> open = {value};
    while (!open.empty()) {
      const auto [entry, is_new] = known_.try_emplace(open.back(), Answer::asked);
      const std::optional<Id> next = entry->second == Answer::asked ? find(open.back(), entry->second) : std::nullopt;
      if (next)
        open.push_back(*next);
      else
        open.pop_back();
    }
    return known_.at(value) == Answer::yes;
  }

 private:
  enum class Answer : std::uint8_t { asked, yes, no };

  // Gives the answer, or the operand that has to be asked first. A value that needs itself is none.
  std::optional<Id> find(Id value, Answer& answer) const {
    const InstRef def = module_.def(value);
    const auto settle = [&](bool holds) {
      answer = holds ? Answer::yes : Answer::no;
      return std::nullopt;
    };
    if (!def) return settle(false);
    const spv::Op op = module_[def].op;
    if (op == spv::Op::OpLoad) return settle(is_shared_(def));
    if (!is_arithmetic(op)) return settle(is_constant(op));
    for (const Operand& operand : module_.operands(def)) {
      if (!operand.is_id) continue;
      const auto known = known_.find(operand.word);
      if (known == known_.end()) return operand.word;
      if (known->second != Answer::yes) return settle(false);
    }
    return settle(true);
  }

  static bool is_constant(spv::Op op) {
    return op == spv::Op::OpConstant || op == spv::Op::OpConstantComposite || op == spv::Op::OpConstantNull ||
           op == spv::Op::OpConstantTrue || op == spv::Op::OpConstantFalse;
  }

  const Module& module_;
  const IsSharedLoad& is_shared_;
  std::map<Id, Answer> known_;  // references to entries stay valid
};

// A store to an element of the array at `array`, of which the index is the one behind that path.
struct IndexedStore {
  const PointerAccess* access = nullptr;
  std::vector<std::uint32_t> array;
  Id array_type = 0;

  Id index() const { return access->indices[array.size()]; }
};

class Finder {
 public:
  Finder(const Module& module, const IsSharedLoad& is_shared) : module_(module), values_(module, is_shared) {}

  // The stores to write out; none if the variable has to stay.
  std::vector<IndexedStore> stores_of(const InterfaceVariable& variable, const VariableAccesses& accesses) {
    if (variable.unsupported || accesses.obstacle || variable.leaves.empty()) return {};
    std::vector<IndexedStore> stores;
    for (const PointerAccess& access : accesses.accesses) {
      const ConstantPath found = constant_path(module_, variable, access);
      const Id type = type_at(module_, variable.element_type, found.path);
      const bool is_indexed = found.dynamic_behind && !spirv::is_scalar_or_vector(module_, type);
      if (!is_fine(access, is_indexed)) return {};
      if (!is_indexed) continue;
      stores.push_back({&access, found.path, type});
      if (!is_element_of(stores.back()) || components_of(variable, found.path) > kMaxArrayComponents) return {};
    }
    return stores.size() <= kMaxIndexedStores ? stores : std::vector<IndexedStore>();
  }

 private:
  bool is_fine(const PointerAccess& access, bool is_indexed) {
    if (access.kind != Kind::store) return access.kind == Kind::load && !is_indexed;
    return is_plain_access(module_, access) && values_.holds(module_.operand(access.inst, 1).word);
  }

  // One index chooses, and a scalar or vector, or a component of one, is stored.
  bool is_element_of(const IndexedStore& store) {
    const std::vector<Id>& indices = store.access->indices;
    const auto is_known = [&](Id index) { return constant_int(module_, index).has_value(); };
    return module_.def_op(store.array_type) == spv::Op::OpTypeArray &&
           spirv::is_scalar_or_vector(module_, module_.type_of(module_.operand(store.access->inst, 1).word)) &&
           !is_known(store.index()) && values_.holds(store.index()) && is_of_32_bits(store.index()) &&
           std::all_of(indices.begin() + static_cast<std::ptrdiff_t>(store.array.size()) + 1, indices.end(), is_known);
  }

  bool is_of_32_bits(Id value) const {
    const auto type = scalar_type_of(module_, module_.type_of(value));
    return type && type->width == 32;
  }

  static std::uint32_t components_of(const InterfaceVariable& variable, const std::vector<std::uint32_t>& path) {
    std::uint32_t count = 0;
    for (const std::size_t leaf : leaves_below(variable, path))
      count += variable.leaves[leaf].count * variable.leaves[leaf].slots_per_component();
    return count;
  }

  const Module& module_;
  SharedValues values_;
};

void write_out(Module& module, spirv::Emitter& emitter, spirv::Globals& globals, Id variable,
               const IndexedStore& store) {
  const Id stored = module.operand(store.access->inst, 1).word, type = module.type_of(stored);
  for (std::uint32_t element = 0; element < spirv::element_count(module, store.array_type); ++element) {
    const Id number = globals.scalar_constant(module.type_of(store.index()), {element});
    std::vector<Id> indices = store.access->indices;
    indices[store.array.size()] = number;
    const Id pointer = emitter.chain(spv::StorageClass::Output, type, variable, indices);
    const Id is_meant =
        emitter.emit(spv::Op::OpIEqual, globals.bool_type(), {spirv::id(store.index()), spirv::id(number)});
    emitter.store(pointer, emitter.select(type, is_meant, stored, emitter.load(type, pointer)));
  }
}

bool may_be_written_out(const Entry& entry, const InterfaceVariable& variable) {
  return access_mode(entry.stage, variable) == AccessMode::store_at_exit &&
         std::none_of(variable.leaves.begin(), variable.leaves.end(),
                      [](const Leaf& leaf) { return leaf.captured || leaf.invariant; });
}

// Nothing in the reader keeps the variable from becoming scalars.
bool reads_scalars(const StageCode& reader, const InterfaceVariable& output) {
  const SidePlan inputs = plan_side(*reader.module, *reader.entry, Direction::input);
  return std::all_of(inputs.variables.begin(), inputs.variables.end(), [&](const VariablePlan& plan) {
    const bool apart = plan.variable.location + plan.variable.location_count <= output.location ||
                       output.location + output.location_count <= plan.variable.location;
    return apart || (!plan.fixed && plan.unsplit.empty());
  });
}

}  // namespace

void write_out_indexed_stores(Module& module, const Entry& entry, const StageCode& reader,
                              const IsSharedLoad& is_shared) {
  Finder finder(module, is_shared);
  const spirv::Uses uses(module);
  std::vector<std::pair<Id, IndexedStore>> stores;  // with their variables
  std::deque<VariableAccesses> all;                 // that the stores point into
  for (const InterfaceVariable& variable : interface_variables(module, entry, Direction::output)) {
    if (!may_be_written_out(entry, variable)) continue;
    all.push_back(accesses_of(module, uses, variable.id));
    const std::vector<IndexedStore> found = finder.stores_of(variable, all.back());
    if (found.empty() || !reads_scalars(reader, variable)) continue;
    for (const IndexedStore& store : found) stores.emplace_back(variable.id, store);
  }
  if (stores.empty()) return;
  spirv::Globals globals(module);
  spirv::Emitter emitter(module, globals);
  spirv::CodeEdit edit;
  for (const auto& [variable, store] : stores) {
    emitter.write_to(edit.before(store.access->inst));
    write_out(module, emitter, globals, variable, store);
    edit.remove(store.access->inst);
  }
  edit.apply(module, entry.function);
}

}  // namespace varylink::varyings
