#include "verify/whole_mesh_stores.h"

#include <algorithm>

#include "spirv/ir/code_edit.h"
#include "spirv/ir/emitter.h"
#include "spirv/ir/globals.h"
#include "spirv/ir/operations.h"
#include "varyings/reflect/pointer_access.h"

namespace varylink::verify {
namespace {

using spirv::Id;
using spirv::InstRef;
using spirv::Module;
using spv::Op;
using varyings::PointerAccess;
using Indices = std::vector<Id>;

Id type_behind(const Module& module, Id type, const Indices& indices) {
  for (const Id index : indices) {
    const bool is_struct = module.def_op(type) == Op::OpTypeStruct;
    const auto member = is_struct ? spirv::constant_int(module, index).value_or(0) : 0;
    type = spirv::element_type(module, type, static_cast<std::uint32_t>(member));
  }
  return type;
}

// Scalars of a variable that the invocations of a workgroup share; devices have 28 KiB and more for all of them.
constexpr std::size_t kMostShared = 1024;

// Stores of one output variable.
class Widener {
 public:
  Widener(Module& module, spirv::CodeEdit& edit, Id variable)
      : module_(module),
        edit_(edit),
        globals_(module),
        emitter_(module, globals_),
        variable_(variable),
        type_(spirv::pointee_type(module, module.type_of(variable))),
        accesses_(varyings::accesses_of(module, spirv::Uses(module), variable)) {}

  bool has_work() const {
    return !accesses_.obstacle && std::any_of(accesses_.accesses.begin(), accesses_.accesses.end(),
                                              [&](const PointerAccess& access) { return is_part(access); });
  }

  void run(InstRef entry_point) {
    copy_type_ = undecorated(type_);
    storage_ = scalar_count(type_) <= kMostShared ? spv::StorageClass::Workgroup : spv::StorageClass::Private;
    copy_ = globals_.variable(storage_, copy_type_);
    const InstRef def = module_.def(copy_);
    module_.rewrite(def, Op::OpVariable, {module_.operand(def, 0), spirv::id(globals_.null_constant(copy_type_))});
    // The initializer has to stand in front.
    module_.types.erase(std::find(module_.types.begin(), module_.types.end(), def));
    module_.types.push_back(def);
    spirv::add_to_interface(module_, entry_point, copy_);
    for (const PointerAccess& access : accesses_.accesses) {
      if (access.kind != PointerAccess::Kind::store) continue;
      emitter_.write_to(edit_.before(access.inst));
      store(access);
    }
  }

 private:
  Id vector_of(const PointerAccess& access) const {
    if (access.indices.empty()) return 0;
    const Id parent = type_behind(module_, type_, {access.indices.begin(), access.indices.end() - 1});
    return module_.def_op(parent) == Op::OpTypeVector ? parent : 0;
  }

  bool is_part(const PointerAccess& access) const {
    return access.kind == PointerAccess::Kind::store && vector_of(access) != 0;
  }

  void store(const PointerAccess& access) {
    const Id value = module_.operand(access.inst, 1).word;
    const Id into = type_behind(module_, copy_type_, access.indices);
    const bool is_copy = into != module_.type_of(value);
    const Id stored = is_copy ? emitter_.emit(Op::OpCopyLogical, into, {spirv::id(value)}) : value;
    emitter_.store(emitter_.chain(storage_, into, copy_, access.indices), stored);
    const Id vector = vector_of(access);
    if (vector == 0) return;
    const Indices whole(access.indices.begin(), access.indices.end() - 1);
    const Id loaded = emitter_.load(vector, emitter_.chain(storage_, vector, copy_, whole));
    emitter_.store(emitter_.chain(spv::StorageClass::Output, vector, variable_, whole), loaded);
    edit_.remove(access.inst);
  }

  // Scalars of a type whose lengths are known, else more than there may be.
  std::size_t scalar_count(Id type) const {
    switch (spirv::type_kind(module_, type)) {
      case spirv::TypeKind::vector:
      case spirv::TypeKind::matrix:
      case spirv::TypeKind::array: {
        const std::size_t count = spirv::element_count(module_, type);
        return count == 0 ? kMostShared + 1 : count * scalar_count(spirv::element_type(module_, type));
      }
      case spirv::TypeKind::structure: {
        std::size_t sum = 0;
        for (std::uint32_t i = 0; i < spirv::element_count(module_, type); ++i)
          sum += scalar_count(spirv::element_type(module_, type, i));
        return sum;
      }
      default: return 1;
    }
  }

  // Variables of the shader's own have no built-ins and locations; structures carry them.
  Id undecorated(Id type) {
    switch (spirv::type_kind(module_, type)) {
      case spirv::TypeKind::structure: {
        std::vector<spirv::Operand> members;
        for (std::uint32_t i = 0; i < spirv::element_count(module_, type); ++i)
          members.push_back(spirv::id(undecorated(spirv::element_type(module_, type, i))));
        return add_type(Op::OpTypeStruct, members);
      }
      case spirv::TypeKind::array: {
        const Id element = spirv::element_type(module_, type), copy = undecorated(element);
        if (copy == element) return type;
        return add_type(Op::OpTypeArray, {spirv::id(copy), module_.operand(module_.def(type), 1)});
      }
      default: return type;
    }
  }

  Id add_type(Op op, const std::vector<spirv::Operand>& operands) {
    const Id result = module_.new_id();
    module_.types.push_back(module_.create(op, 0, result, operands));
    return result;
  }

  Module& module_;
  spirv::CodeEdit& edit_;
  spirv::Globals globals_;
  spirv::Emitter emitter_;
  Id variable_, type_, copy_type_ = 0, copy_ = 0;
  spv::StorageClass storage_ = spv::StorageClass::Private;
  varyings::VariableAccesses accesses_;
};

std::vector<Id> outputs_of(const Module& module) {
  std::vector<Id> outputs;
  for (const InstRef inst : module.types)
    if (module[inst].op == Op::OpVariable &&
        static_cast<spv::StorageClass>(module.operand(inst, 0).word) == spv::StorageClass::Output)
      outputs.push_back(module[inst].result);
  return outputs;
}

}  // namespace

bool stores_parts_of_vectors(Module& module) {
  spirv::CodeEdit edit;
  const std::vector<Id> outputs = outputs_of(module);
  return std::any_of(outputs.begin(), outputs.end(),
                     [&](Id variable) { return Widener(module, edit, variable).has_work(); });
}

void store_whole_vectors(Module& module, const varyings::Entry& entry) {
  spirv::CodeEdit edit;
  for (const Id variable : outputs_of(module))
    if (Widener widener(module, edit, variable); widener.has_work()) widener.run(entry.inst);
  edit.apply(module, entry.function);
}

}  // namespace varylink::verify
