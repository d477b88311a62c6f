#include "prepare/kept_calls.h"

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "spirv/cleanup/clean_ups.h"
#include "spirv/cleanup/constant_folder.h"
#include "spirv/ir/globals.h"
#include "spirv/ir/op_info.h"
#include "spirv/ir/operations.h"
#include "spirv/ir/pointer_path.h"
#include "spirv/ir/scalar_view.h"
#include "spirv/ir/uses.h"

namespace varylink::prepare {
namespace {

using spirv::Id;
using spirv::InstRef;
using spirv::Module;
using spv::Op;

// Instructions looked at for the arguments of all calls of a stage, each as often as it is met (rule ): behind
// that, functions are inlined.
constexpr std::size_t kMostSteps = 100000;

constexpr auto kDontInline = static_cast<std::uint32_t>(spv::FunctionControlMask::DontInline);

InstRef head_of(const Module& module, Id function) {
  const spirv::Function* body = module.function(function);
  if (!body) return {};
  const auto found = std::find_if(body->head.begin(), body->head.end(),
                                  [&](InstRef inst) { return module[inst].op == Op::OpFunction; });
  return found == body->head.end() ? InstRef{} : *found;
}

void set_mark(Module& module, Id function, bool marked) {
  const InstRef head = head_of(module, function);
  if (!head) return;
  const std::uint32_t control = module.operand(head, 0).word;
  module.set_operand(head, 0, spirv::lit(marked ? control | kDontInline : control & ~kDontInline));
}

spv::StorageClass storage_of(const Module& module, Id pointer) {
  const InstRef type = module.def(module.type_of(pointer));
  if (!type || module[type].op != Op::OpTypePointer) return spv::StorageClass::Generic;
  return static_cast<spv::StorageClass>(module.operand(type, 0).word);
}

bool is_of_uniforms(spv::StorageClass storage) {
  return storage == spv::StorageClass::Uniform || storage == spv::StorageClass::UniformConstant ||
         storage == spv::StorageClass::PushConstant;
}

// A value read from a texture says nothing of its coordinate, whatever that depends on.
bool reads_image(Op op) {
  const spirv::OperationRow& row = spirv::row_of(op);
  return op != Op::OpImageRead && row.is(spirv::kImageAccess) && row.is(spirv::kRemovable);
}

bool is_asked_whole(const Module& module, const spirv::Uses& uses, Id value) {
  const std::uint32_t count = spirv::component_count(module, module.type_of(value));
  const std::uint32_t all = (1u << count) - 1;
  return count != 0 && (spirv::read_scalars(module, uses, value) & all) == all;
}

// Whether the parameter is read as a whole, and nothing else is done to it.
bool is_read_whole(const Module& module, const spirv::Uses& uses, Id parameter) {
  if (storage_of(module, parameter) != spv::StorageClass::Function) return is_asked_whole(module, uses, parameter);
  std::uint32_t asked = 0;
  const std::uint32_t count = spirv::component_count(module, spirv::pointee_type(module, module.type_of(parameter)));
  for (const InstRef user : uses.of(parameter)) {
    const auto operands = module.operands(user);
    if (module[user].op == Op::OpLoad && operands.size() == 1) {
      asked |= spirv::read_scalars(module, uses, module[user].result);
    } else if (module[user].op == Op::OpAccessChain && operands.size() == 2) {
      const auto index = spirv::constant_index(module, operands[1].word);
      for (const InstRef reader : uses.of(module[user].result))
        if (module[reader].op != Op::OpLoad) return false;
      asked |= index && *index < 32 ? 1u << *index : 0xffffffffu;
    } else {
      return false;
    }
  }
  const std::uint32_t all = (1u << count) - 1;
  return count != 0 && (asked & all) == all;
}

// Numbers, of them alone and of uniforms, and debug information; derivatives and reads of images say what linking may
// have to know about.
bool computes_only(const Module& module, InstRef inst) {
  if (spirv::is_debug_inst(module, inst)) return true;
  const Op op = module[inst].op;
  const auto operands = module.operands(inst);
  for (const spirv::Operand& operand : operands) {
    if (!operand.is_id) continue;
    const spv::StorageClass storage = storage_of(module, operand.word);
    const bool is_pointer = module.def_op(module.type_of(operand.word)) == Op::OpTypePointer;
    if (is_pointer && storage != spv::StorageClass::Function && !is_of_uniforms(storage)) return false;
  }
  if (op == Op::OpStore)
    return operands.size() == 2 && module.def_op(spirv::root_of(module, operands[0].word)) == Op::OpVariable &&
           storage_of(module, operands[0].word) == spv::StorageClass::Function;
  const spirv::OperationRow& row = spirv::row_of(op);
  if (row.is(spirv::kInert) || op == Op::OpReturn || op == Op::OpReturnValue) return true;
  const bool is_of_images = op >= Op::OpSampledImage && op <= Op::OpImageQuerySamples;
  return spirv::is_removable(module, inst) && !row.is(spirv::kDerivative) && !is_of_images;
}

bool is_candidate(const Module& module, const spirv::Uses& uses, const spirv::Function& function) {
  if (function.blocks.empty() || spirv::count_returns(module, function) < 2) return false;
  for (const InstRef inst : function.head) {
    if (module[inst].op == Op::OpFunction && (module.operand(inst, 0).word & kDontInline) != 0) return false;
    if (module[inst].op == Op::OpFunctionParameter && !is_read_whole(module, uses, module[inst].result)) return false;
  }
  return std::all_of(function.blocks.begin(), function.blocks.end(), [&](const spirv::Block& block) {
    return std::all_of(block.body.begin(), block.body.end(), [&](InstRef inst) { return computes_only(module, inst); });
  });
}

// Follows what is handed over back to where it comes from.
class Origins {
 public:
  Origins(const Module& module, const std::vector<Id>& kept) : module_(module), kept_(kept.begin(), kept.end()) {
    for (const spirv::Function& function : module.functions)
      for (const spirv::Block& block : function.blocks)
        for (const InstRef inst : block.body) note_writes(inst);
  }

  // Of varyings there is nothing in the arguments but what was read of images with them. Constants may decide what the
  // function does, and of uniforms alone it computes a uniform expression: these are for linking to see.
  bool are_apart(InstRef call) {
    bool any_image = false;
    for (const spirv::Operand& argument : module_.operands(call).subspan(1)) {
      seen_.clear();
      from_image_ = from_other_ = false;
      if (!trace(argument.word) || !(from_image_ || from_other_)) return false;
      any_image = any_image || from_image_;
    }
    return any_image;
  }

 private:
  bool is_kept_call(InstRef inst) const {
    return module_[inst].op == Op::OpFunctionCall && kept_.count(module_.operand(inst, 0).word) != 0;
  }

  void note_writes(InstRef inst) {
    if (spirv::is_debug_inst(module_, inst)) return;
    const Op op = module_[inst].op;
    if (op == Op::OpStore || op == Op::OpCopyMemory)
      return stores_[spirv::root_of(module_, module_.operand(inst, 0).word)].push_back(inst);
    if (op == Op::OpLoad || spirv::is_access_chain(op) || is_kept_call(inst)) return;
    for (const spirv::Operand& operand : module_.operands(inst))
      if (operand.is_id && storage_of(module_, operand.word) == spv::StorageClass::Function)
        written_elsewhere_.insert(spirv::root_of(module_, operand.word));
  }

  // False if something comes from elsewhere than images, uniforms and constants.
  bool trace(Id value) {
    std::vector<Id> open = {value};
    while (!open.empty()) {
      const Id next = open.back();
      open.pop_back();
      if (!seen_.insert(next).second) continue;
      if (++steps_ > kMostSteps || !step(next, open)) return false;
    }
    return true;
  }

  bool step(Id value, std::vector<Id>& open) {
    const InstRef def = module_.def(value);
    if (!def) return false;
    const Op op = module_[def].op;
    if (reads_image(op) || is_kept_call(def)) {
      from_image_ = true;
      return true;
    }
    if (op == Op::OpVariable) return step_to_variable(value, open);
    if (op == Op::OpLabel || spirv::is_constant(module_, value)) return true;
    if (op != Op::OpUndef && op != Op::OpExtInstImport && !spirv::is_removable(module_, def)) return false;
    for (const spirv::Operand& operand : module_.operands(def))
      if (operand.is_id && module_.def_op(operand.word) != Op::OpExtInstImport) open.push_back(operand.word);
    return true;
  }

  bool step_to_variable(Id variable, std::vector<Id>& open) {
    const spv::StorageClass storage = storage_of(module_, variable);
    if (is_of_uniforms(storage)) {
      from_other_ = true;
      return true;
    }
    if (storage != spv::StorageClass::Function || written_elsewhere_.count(variable) != 0) return false;
    if (module_.operands(module_.def(variable)).size() != 1) return false;
    for (const InstRef store : stores_[variable]) open.push_back(module_.operand(store, 1).word);
    return true;
  }

  const Module& module_;
  std::set<Id> kept_;
  std::map<Id, std::vector<InstRef>> stores_;  // by variable
  std::set<Id> written_elsewhere_;
  std::set<Id> seen_;
  std::size_t steps_ = 0;
  bool from_image_ = false, from_other_ = false;
};

}  // namespace

void keep_functions(link::LinkedStage& stage) {
  if (stage.stage != Stage::fragment || stage.module.functions.size() == 1) return;
  Module& module = stage.module;
  const spirv::Uses uses(module);
  for (const spirv::Function& function : module.functions)
    if (function.result != stage.entry.function && is_candidate(module, uses, function))
      stage.kept_functions.push_back(function.result);
  for (const Id function : stage.kept_functions) set_mark(module, function, true);
}

bool give_up_functions(link::LinkedStage& stage) {
  if (stage.kept_functions.empty()) return false;
  Module& module = stage.module;
  const spirv::Uses uses(module);
  Origins origins(module, stage.kept_functions);
  const auto must_go = [&](Id function) {
    for (const InstRef user : uses.of(function))
      if (module[user].op == Op::OpFunctionCall &&
          (!is_asked_whole(module, uses, module[user].result) || !origins.are_apart(user)))
        return true;
    return false;
  };
  std::vector<Id> gone;
  for (const Id function : stage.kept_functions)
    if (must_go(function)) gone.push_back(function);
  // Values that a removed function hands on would have to be looked at again: then all go.
  if (!gone.empty()) gone = stage.kept_functions;
  for (const Id function : gone) set_mark(module, function, false);
  std::erase_if(stage.kept_functions, [&](Id each) { return std::find(gone.begin(), gone.end(), each) != gone.end(); });
  return !gone.empty();
}

void unmark_functions(link::LinkedStage& stage) {
  for (const Id function : stage.kept_functions) set_mark(stage.module, function, false);
  stage.kept_functions.clear();
}

}  // namespace varylink::prepare
