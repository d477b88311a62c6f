#include "verify/wide_interface.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "spirv/ir/annotation_copies.h"
#include "spirv/ir/emitter.h"
#include "spirv/ir/globals.h"
#include "spirv/ir/operations.h"
#include "spirv/tools/binary.h"
#include "varyings/reflect/capture.h"
#include "varyings/reflect/pointer_access.h"
#include "varyings/scalarize/code_forms.h"

namespace varylink::verify {
namespace {

using spirv::Id;
using spirv::InstRef;
using spirv::Module;
using spirv::TypeKind;
using spv::Op;
using varyings::PointerAccess;

spv::StorageClass storage_of(const Module& module, InstRef variable) {
  return static_cast<spv::StorageClass>(module.operand(variable, 0).word);
}

// Types in which each 16-bit number has become one of 32 bits.
class WideTypes {
 public:
  WideTypes(Module& module, spirv::Globals& globals) : module_(module), globals_(globals) {}

  // The type itself where it has no 16-bit numbers.
  Id of(Id type) {
    const auto [entry, is_new] = known_.try_emplace(type, type);
    if (!is_new) return entry->second;
    const Id wide = make(type);
    return known_[type] = wide;
  }

  Id pointer(Id type) {
    const auto storage = static_cast<spv::StorageClass>(module_.operand(module_.def(type), 0).word);
    return globals_.pointer_type(storage, of(spirv::pointee_type(module_, type)));
  }

 private:
  Id make(Id type) {
    const InstRef def = module_.def(type);
    switch (spirv::type_kind(module_, type)) {
      case TypeKind::integer:
        return module_.operand(def, 0).word == 16 ? globals_.int_type(32, module_.operand(def, 1).word != 0) : type;
      case TypeKind::floating: return module_.operand(def, 0).word == 16 ? globals_.float_type(32) : type;
      case TypeKind::vector:
        return globals_.vector_type(of(spirv::element_type(module_, type)), spirv::component_count(module_, type));
      case TypeKind::matrix:
        return globals_.matrix_type(of(spirv::element_type(module_, type)), module_.operand(def, 1).word);
      case TypeKind::array:
      case TypeKind::structure: return make_aggregate(type);
      default: return type;
    }
  }

  // Aggregates are types of their own by their decorations.
  Id make_aggregate(Id type) {
    const InstRef def = module_.def(type);
    const auto operands = module_.operands(def);
    std::vector<spirv::Operand> wide(operands.begin(), operands.end());
    const bool is_array = module_[def].op == Op::OpTypeArray;
    for (std::size_t i = 0; i < (is_array ? 1 : wide.size()); ++i) wide[i].word = of(wide[i].word);
    if (std::equal(wide.begin(), wide.end(), module_.operands(def).begin())) return type;
    const Id result = module_.new_id();
    module_.types.push_back(module_.create(module_[def].op, 0, result, wide));
    names_.copy(module_, type, result);
    decorations_.copy(module_, type, result);
    return result;
  }

  Module& module_;
  spirv::Globals& globals_;
  std::map<Id, Id> known_;
  spirv::AnnotationCopies names_{&Module::debug_names}, decorations_{&Module::annotations};
};

class InterfaceWidener {
 public:
  InterfaceWidener(Module& module, const varyings::Entry& entry)
      : module_(module), globals_(module), emitter_(module, globals_), types_(module, globals_) {
    for (const varyings::Capture& capture : varyings::captures(module, entry)) captured_.insert(capture.variable);
  }

  // False, with nothing changed, if something cannot be rewritten.
  bool run() {
    std::vector<Id> variables;
    for (const InstRef inst : module_.types)
      if (module_[inst].op == Op::OpVariable && is_interface(storage_of(module_, inst)))
        variables.push_back(module_[inst].result);
    variables.erase(std::remove_if(variables.begin(), variables.end(), [&](Id id) { return !is_narrow(id); }),
                    variables.end());
    varyings::split_memory_copies(module_, variables);
    const spirv::Uses uses(module_);
    std::vector<varyings::VariableAccesses> all;
    for (const Id variable : variables) {
      all.push_back(varyings::accesses_of(module_, uses, variable));
      if (all.back().obstacle || captured_.count(variable) != 0 || !has_known_lengths(all.back())) return false;
    }
    for (std::size_t i = 0; i < variables.size(); ++i) redeclare(variables[i], all[i]);
    for (spirv::Function& function : module_.functions)
      for (spirv::Block& block : function.blocks) rewrite(block);
    for (const Id variable : variables) put_behind_types(module_.def(variable));
    declare_capabilities();
    return true;
  }

 private:
  static bool is_interface(spv::StorageClass storage) {
    return storage == spv::StorageClass::Input || storage == spv::StorageClass::Output;
  }

  bool is_narrow(Id variable) {
    const Id type = module_.type_of(variable);
    return types_.pointer(type) != type;
  }

  // Of the arrays that are loaded or stored as wholes.
  bool has_known_lengths(const varyings::VariableAccesses& accesses) const {
    return std::all_of(accesses.accesses.begin(), accesses.accesses.end(), [&](const PointerAccess& access) {
      const bool is_store = access.kind == PointerAccess::Kind::store;
      return has_known_length(is_store ? module_.type_of(module_.operand(access.inst, 1).word)
                                       : module_[access.inst].type);
    });
  }

  bool has_known_length(Id type) const {
    const std::uint32_t count = spirv::element_count(module_, type);
    switch (spirv::type_kind(module_, type)) {
      case TypeKind::array: return count != 0 && has_known_length(spirv::element_type(module_, type));
      case TypeKind::structure:
        for (std::uint32_t i = 0; i < count; ++i)
          if (!has_known_length(spirv::element_type(module_, type, i))) return false;
        return true;
      default: return true;
    }
  }

  void redeclare(Id variable, const varyings::VariableAccesses& accesses) {
    module_.set_type(module_.def(variable), types_.pointer(module_.type_of(variable)));
    for (const InstRef chain : accesses.chains) module_.set_type(chain, types_.pointer(module_[chain].type));
    for (const PointerAccess& access : accesses.accesses) accesses_.emplace(access.inst.index, access.kind);
  }

  void rewrite(spirv::Block& block) {
    std::vector<InstRef> body;
    emitter_.write_to(body);
    for (const InstRef inst : block.body) {
      const auto access = accesses_.find(inst.index);
      if (access == accesses_.end()) {
        body.push_back(inst);
      } else if (access->second == PointerAccess::Kind::store) {
        const Id value = module_.operand(inst, 1).word;
        module_.set_operand(inst, 1, spirv::id(converted(value, types_.of(module_.type_of(value)))));
        body.push_back(inst);
      } else {
        const Id narrow = module_[inst].type, wide = types_.of(narrow);
        const auto operands = module_.operands(inst);
        const std::vector<spirv::Operand> same(operands.begin(), operands.end());
        const Id loaded = emitter_.emit(module_[inst].op, wide, same);
        // It has the result of the old one.
        module_.rewrite(inst, Op::OpCopyObject, {spirv::id(converted(loaded, narrow))});
        body.push_back(inst);
      }
    }
    block.body = std::move(body);
  }

  // `value`, whose type has the shape of `type`, as that type.
  Id converted(Id value, Id type) {
    const Id from = module_.type_of(value);
    if (from == type) return value;
    if (spirv::is_scalar_or_vector(module_, type)) return emitter_.emit(conversion(type), type, {spirv::id(value)});
    std::vector<Id> parts;
    for (std::uint32_t i = 0; i < spirv::element_count(module_, type); ++i) {
      const Id part = emitter_.extract(spirv::element_type(module_, from, i), value, i);
      parts.push_back(converted(part, spirv::element_type(module_, type, i)));
    }
    return emitter_.construct(type, parts);
  }

  Op conversion(Id type) const {
    const Id scalar = spirv::component_count(module_, type) > 1 ? spirv::element_type(module_, type) : type;
    if (spirv::type_kind(module_, scalar) == TypeKind::floating) return Op::OpFConvert;
    return module_.operand(module_.def(scalar), 1).word != 0 ? Op::OpSConvert : Op::OpUConvert;
  }

  // Types that were made stand behind the variables that came.
  void put_behind_types(InstRef variable) {
    module_.types.erase(std::find(module_.types.begin(), module_.types.end(), variable));
    module_.types.push_back(variable);
  }

  // What is drawn may compute with the numbers, which the device takes or not by itself.
  void declare_capabilities() {
    for (const InstRef inst : module_.capabilities)
      if (static_cast<spv::Capability>(module_.operand(inst, 0).word) == spv::Capability::StorageInputOutput16)
        module_.kill(inst);
    declare_for(Op::OpTypeFloat, spv::Capability::Float16);
    declare_for(Op::OpTypeInt, spv::Capability::Int16);
    module_.sweep();
  }

  void declare_for(Op type, spv::Capability capability) {
    const bool is_needed = std::any_of(module_.types.begin(), module_.types.end(), [&](InstRef inst) {
      return module_[inst].op == type && module_.operand(inst, 0).word == 16;
    });
    if (!is_needed || module_.has_capability(capability)) return;
    module_.capabilities.push_back(
        module_.create(Op::OpCapability, 0, 0, {spirv::lit(static_cast<std::uint32_t>(capability))}));
  }

  Module& module_;
  spirv::Globals globals_;
  spirv::Emitter emitter_;
  WideTypes types_;
  std::map<std::uint32_t, PointerAccess::Kind> accesses_;  // by instruction
  std::set<Id> captured_;
};

// The words with wide interfaces, or as they are.
Result<std::vector<std::uint32_t>> widened(const std::vector<std::uint32_t>& words, const link::StageInput& stage) {
  if (words.empty()) return words;
  Result<Module> module = spirv::read_module(words, stage.file);
  if (!module) return module.error();
  if (!module->has_capability(spv::Capability::StorageInputOutput16)) return words;
  const Result<varyings::Entry> entry = varyings::find_entry(*module, stage.stage, stage.entry_point, stage.file);
  if (!entry) return entry.error();
  varyings::lower_initializers(*module, *entry);
  if (!InterfaceWidener(*module, *entry).run()) return words;
  return spirv::write_module(*module);
}

}  // namespace

Result<std::vector<link::StageInput>> with_wide_interfaces(std::vector<link::StageInput> stages) {
  for (link::StageInput& stage : stages)
    for (auto* words : {&stage.words, &stage.unspecialized}) {
      Result<std::vector<std::uint32_t>> wide = widened(*words, stage);
      if (!wide) return wide.error();
      if (*wide == *words) continue;
      *words = std::move(*wide);
      stage.read = {};
    }
  return stages;
}

}  // namespace varylink::verify
