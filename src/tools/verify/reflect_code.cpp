#include "verify/reflect_code.h"

#include <algorithm>

#include "spirv/ir/call_tree.h"
#include "spirv/ir/globals.h"
#include "spirv/ir/op_info.h"
#include "spirv/ir/operations.h"
#include "spirv/ir/pointer_uses.h"

namespace varylink::verify {
namespace {

using spv::Op;

// Records the built-in that one access touches: the variable's own, or the members of its block.
class BuiltinCollector {
 public:
  explicit BuiltinCollector(Shader& shader) : shader_(shader) {}

  // `indices` are the ids of an access chain, empty if the whole variable is accessed.
  void access(spirv::Id variable, std::span<const spirv::Operand> indices, bool writes) {
    auto& found = writes ? shader_.builtins_written : shader_.builtins_read;
    if (const auto own = varyings::decorations_of(shader_.module, variable).value(spv::Decoration::BuiltIn)) {
      found.insert(static_cast<spv::BuiltIn>(*own));
      return;
    }
    spirv::Id type = shader_.module.operand(shader_.module.def(shader_.module.type_of(variable)), 1).word;
    if (shader_.module.def_op(type) == Op::OpTypeArray) {
      type = shader_.module.operand(shader_.module.def(type), 0).word;
      if (!indices.empty()) indices = indices.subspan(1);
    }
    if (shader_.module.def_op(type) != Op::OpTypeStruct) return;
    const auto members = shader_.module.operands(shader_.module.def(type));
    std::optional<std::int64_t> only;
    if (!indices.empty()) only = spirv::constant_int(shader_.module, indices[0].word);
    for (std::uint32_t i = 0; i < members.size(); ++i) {
      if (only && *only != i) continue;
      const auto builtin = varyings::member_decorations_of(shader_.module, type, i).value(spv::Decoration::BuiltIn);
      if (builtin) found.insert(static_cast<spv::BuiltIn>(*builtin));
    }
  }

 private:
  Shader& shader_;
};

bool is_interface_variable(const spirv::Module& module, spirv::Id value) {
  if (module.def_op(value) != Op::OpVariable) return false;
  const auto storage = static_cast<spv::StorageClass>(module.operand(module.def(value), 0).word);
  return storage == spv::StorageClass::Input || storage == spv::StorageClass::Output;
}

bool is_output(const spirv::Module& module, spirv::Id variable) {
  return static_cast<spv::StorageClass>(module.operand(module.def(variable), 0).word) == spv::StorageClass::Output;
}

void collect_builtins(Shader& shader, const spirv::Block& block) {
  BuiltinCollector collector(shader);
  const spirv::Module& module = shader.module;
  for (const spirv::InstRef ref : block.body) {
    const auto operands = module.operands(ref);
    for (std::uint32_t i = 0; i < operands.size(); ++i) {
      const spirv::Id base = operands[i].is_id ? operands[i].word : 0;
      if (!is_interface_variable(module, base)) continue;
      if (spirv::is_access_chain(module[ref].op)) collector.access(base, operands.subspan(1), is_output(module, base));
      const spirv::PointerUse use = spirv::pointer_use(module, ref, i);
      if (spirv::may_read(use)) collector.access(base, {}, false);
      if (spirv::may_write(use)) collector.access(base, {}, true);
    }
  }
}

// Whether the fragment stage sees a difference between one and several samples per pixel.
bool depends_on_sample_position(const Shader& shader) {
  for (const spv::BuiltIn builtin : {spv::BuiltIn::SampleId, spv::BuiltIn::SamplePosition, spv::BuiltIn::SampleMask})
    if (shader.builtins_read.count(builtin) != 0 || shader.builtins_written.count(builtin) != 0) return true;
  return std::any_of(shader.inputs.begin(), shader.inputs.end(), [](const varyings::InterfaceVariable& variable) {
    return std::any_of(variable.leaves.begin(), variable.leaves.end(), [](const varyings::Leaf& leaf) {
      return leaf.interpolation.centroid || leaf.interpolation.sample;
    });
  });
}

void note_operation(Shader& shader, spirv::InstRef ref) {
  const spirv::OperationRow& row = spirv::row_of(shader.module, ref);
  if (row.is(spirv::kJumps)) shader.has_discontinuities = true;
  if (row.is(spirv::kInterpolates)) shader.samples_differ = shader.interpolates_at = true;
}

}  // namespace

std::vector<const spirv::Function*> call_tree(const spirv::Module& module, spirv::Id entry_function) {
  std::vector<const spirv::Function*> result;
  for (const spirv::Id id : spirv::call_tree(module, {entry_function}))
    if (const spirv::Function* function = module.function(id)) result.push_back(function);
  return result;
}

std::vector<bool> used_ids(const spirv::Module& module, const std::vector<const spirv::Function*>& functions) {
  std::vector<bool> used(module.bound, false);
  for (const spirv::Function* function : functions)
    for (const spirv::Block& block : function->blocks)
      for (const spirv::InstRef ref : block.body)
        for (const spirv::Operand operand : module.operands(ref))
          if (operand.is_id && operand.word < used.size()) used[operand.word] = true;
  return used;
}

void reflect_code(Shader& shader, const std::vector<const spirv::Function*>& functions) {
  for (const spirv::Function* function : functions) {
    for (const spirv::Block& block : function->blocks) {
      collect_builtins(shader, block);
      for (const spirv::InstRef ref : block.body) note_operation(shader, ref);
    }
  }
  if (shader.stage != Stage::fragment) return;
  shader.samples_differ = shader.samples_differ || depends_on_sample_position(shader);
}

}  // namespace varylink::verify
