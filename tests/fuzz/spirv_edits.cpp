#include "fuzz/spirv_edits.h"

#include <algorithm>
#include <bit>
#include <map>
#include <set>

#include "spirv/ir/globals.h"
#include "spirv/ir/uses.h"
#include "varyings/reflect/decoration_index.h"
#include "varyings/reflect/interface_variable.h"

namespace varylink::fuzz {
namespace {

using spv::Op;
using namespace spirv;

constexpr std::uint32_t kVersion1_4 = 0x0001'0400;
constexpr std::uint32_t kVersion1_5 = 0x0001'0500;

bool is_constant(Op op) {
  return op == Op::OpConstant || op == Op::OpConstantTrue || op == Op::OpConstantFalse ||
         op == Op::OpConstantComposite || op == Op::OpConstantNull;
}

// Replaces uses of `from` by `to`, each with the given probability. Instructions for which `keep` holds stay.
template <typename Keep>
void replace_uses(Module& module, Id from, Id to, EditChoice& choice, double probability, const Keep& keep) {
  for (const Function& function : module.functions)
    for (const Block& block : function.blocks)
      for (const InstRef ref : block.body) {
        if (module[ref].result == to || keep(ref)) continue;
        for (std::uint32_t i = 0; i < module[ref].operand_count; ++i)
          if (module.operand(ref, i) == id(from) && choice.take(probability)) module.set_operand(ref, i, id(to));
      }
}

// ---- initializers

// Behind the constant, wherever that is.
void initialize(Module& module, Id variable, Id value) {
  const InstRef def = module.def(variable);
  module.rewrite(def, Op::OpVariable, {module.operand(def, 0), id(value)});
  const auto place = std::find(module.types.begin(), module.types.end(), def);
  if (place == module.types.end()) return;  // a local
  module.types.erase(place);
  module.types.push_back(def);
}

class FirstStores {
 public:
  FirstStores(Module& module, Stage stage, EditChoice& choice) : module_(module), stage_(stage), choice_(choice) {}

  // Walks the first block of an entry: nothing runs before it, and nothing comes back to it.
  void run(Block& entry) {
    std::vector<InstRef> body;
    for (const InstRef ref : entry.body) {
      if (is_movable(ref) && choice_.take(0.7)) {
        initialize(module_, module_.operand(ref, 0).word, module_.operand(ref, 1).word);
        module_.kill(ref);
        continue;
      }
      note(ref);
      body.push_back(ref);
    }
    entry.body = std::move(body);
  }

 private:
  Module& module_;
  Stage stage_;
  EditChoice& choice_;
  std::set<Id> touched_;
  bool globals_touched_ = false;

  void note(InstRef ref) {
    const Op op = module_[ref].op;
    if (op == Op::OpVariable) return;
    if (op == Op::OpFunctionCall || op == Op::OpEmitVertex || op == Op::OpControlBarrier) globals_touched_ = true;
    for (const Operand& operand : module_.operands(ref))
      if (operand.is_id) touched_.insert(operand.word);
  }

  bool is_movable(InstRef ref) const {
    if (module_[ref].op != Op::OpStore || module_[ref].operand_count != 2) return false;
    const Id variable = module_.operand(ref, 0).word, value = module_.operand(ref, 1).word;
    if (module_.def_op(variable) != Op::OpVariable || module_.operands(module_.def(variable)).size() != 1) return false;
    if (!is_constant(module_.def_op(value)) || touched_.count(variable) != 0) return false;
    switch (static_cast<spv::StorageClass>(module_.operand(module_.def(variable), 0).word)) {
      case spv::StorageClass::Function: return true;
      case spv::StorageClass::Private: return !globals_touched_;
      case spv::StorageClass::Output:
        return !globals_touched_ && stage_ != Stage::tess_control && stage_ != Stage::mesh && stage_ != Stage::task;
      default: return false;
    }
  }
};

// Outputs of a control stage that nothing stores: what they are initialized with is read back and by the next stage.
class InitializedOutputs {
 public:
  explicit InitializedOutputs(Module& module) : module_(module), globals_(module) {}

  void run(const EntryPoint& entry, EditChoice& choice) {
    for (const Id variable : entry.interface) {
      if (!is_variable_in(module_, variable, spv::StorageClass::Output) || has_initializer(module_, variable)) continue;
      if (is_built_in(variable) || !choice.take(0.15)) continue;
      const Id value = constant_of(pointee_type(module_, module_.type_of(variable)));
      if (value == 0) continue;
      remove_stores(Uses(module_), variable);
      initialize(module_, variable, value);
    }
    module_.sweep();
  }

 private:
  bool is_built_in(Id variable) const {
    const Id type = type_without_arrays(module_, pointee_type(module_, module_.type_of(variable)));
    return std::any_of(module_.annotations.begin(), module_.annotations.end(), [&](InstRef inst) {
      const bool on_member = module_[inst].op == Op::OpMemberDecorate;
      if (!on_member && module_[inst].op != Op::OpDecorate) return false;
      return module_.operand(inst, 0).word == (on_member ? type : variable) &&
             module_.operand(inst, on_member ? 2 : 1).word == static_cast<std::uint32_t>(spv::Decoration::BuiltIn);
    });
  }

  // Small numbers that differ from element to element; 0 for types that it has no constant for.
  Id constant_of(Id type) {
    const Op op = module_.def_op(type);
    if (op == Op::OpTypeFloat || op == Op::OpTypeInt) {
      if (varyings::is_storage_only(module_, *varyings::scalar_type_of(module_, type))) return 0;
      if (module_.operand(module_.def(type), 0).word != 32) return globals_.null_constant(type);
      const auto number = static_cast<std::uint32_t>(next_++ % 4);
      const auto fraction = std::bit_cast<std::uint32_t>(0.25f * static_cast<float>(number));
      return globals_.scalar_constant(type, {op == Op::OpTypeInt ? number : fraction});
    }
    if (!is_composite(op)) return 0;
    const std::uint32_t count = element_count(module_, type);
    std::vector<Id> parts;
    for (std::uint32_t i = 0; i < count; ++i) {
      parts.push_back(constant_of(element_type(module_, type, i)));
      if (parts.back() == 0) return 0;
    }
    return parts.empty() ? 0 : globals_.composite_constant(type, parts);
  }

  static bool is_composite(Op op) {
    return op == Op::OpTypeVector || op == Op::OpTypeMatrix || op == Op::OpTypeArray || op == Op::OpTypeStruct;
  }

  void remove_stores(const Uses& uses, Id pointer) {
    for (const InstRef use : uses.of(pointer)) {
      if (module_[use].op == Op::OpAccessChain) remove_stores(uses, module_[use].result);
      if (module_[use].op == Op::OpStore && module_.operand(use, 0).word == pointer) module_.kill(use);
    }
  }

  Module& module_;
  Globals globals_;
  std::uint64_t next_ = 1;
};

// ---- copies

bool can_be_copied(const Module& module, InstRef ref) {
  const Inst& inst = module[ref];
  if (inst.result == 0 || inst.type == 0 || module.def_op(inst.type) == Op::OpTypeVoid) return false;
  return inst.op != Op::OpVariable && inst.op != Op::OpPhi && inst.op != Op::OpUndef && inst.op != Op::OpSampledImage &&
         inst.op != Op::OpExtInst;
}

// The position behind all phis and variables of the block.
bool may_stand_behind(const Module& module, const Block& block, std::size_t at) {
  if (at + 1 >= block.body.size()) return false;
  const Op next = module[block.body[at + 1]].op;
  return next != Op::OpPhi && next != Op::OpVariable;
}

bool is_pointer(const Module& module, Id type) { return module.def_op(type) == Op::OpTypePointer; }

// A pointer is copied for loads and stores only: what interpolates or counts atomically names what it is about.
bool keeps_pointer(const Module& module, InstRef ref) {
  const Op op = module[ref].op;
  return op != Op::OpLoad && op != Op::OpStore && op != Op::OpAccessChain;
}

bool is_number(const Module& module, Id type) {
  if (module.def_op(type) == Op::OpTypeVector) type = module.operand(module.def(type), 0).word;
  const Op op = module.def_op(type);
  return (op == Op::OpTypeInt || op == Op::OpTypeFloat) && module.operand(module.def(type), 0).word == 32;
}

// A copy of what is NonUniform is NonUniform: the operand by which a descriptor is accessed has to say so, or all
// invocations may get that of the first (VUID-RuntimeSpirv-NonUniform-06274).
void decorate_copy(Module& module, Id copy, Id type, bool non_uniform, EditChoice& choice) {
  const auto decorate = [&](spv::Decoration decoration) {
    module.annotations.push_back(
        module.create(Op::OpDecorate, 0, 0, {id(copy), lit(static_cast<std::uint32_t>(decoration))}));
  };
  if (is_number(module, type) && choice.random.chance(0.25)) decorate(spv::Decoration::RelaxedPrecision);
  const bool by_chance = module.version >= kVersion1_5 && choice.random.chance(0.15);
  if (!non_uniform && !by_chance) return;
  decorate(spv::Decoration::NonUniform);
  if (module.has_capability(spv::Capability::ShaderNonUniform)) return;
  module.capabilities.push_back(
      module.create(Op::OpCapability, 0, 0, {lit(static_cast<std::uint32_t>(spv::Capability::ShaderNonUniform))}));
}

// ---- logical copies

// A type of its own with the same members. Decorations are no part of what OpCopyLogical asks for.
Id twin_of(Module& module, Id type, std::map<Id, Id>& twins) {
  Id& twin = twins[type];
  if (twin != 0) return twin;
  const InstRef def = module.def(type);
  const auto span = module.operands(def);
  const std::vector<Operand> operands(span.begin(), span.end());
  twin = module.new_id();
  module.types.push_back(module.create(module[def].op, 0, twin, operands));
  return twin;
}

}  // namespace

std::string_view name_of(Edit edit) {
  switch (edit) {
    case Edit::operand_signs: return "operand-signs";
    case Edit::initializers: return "initializers";
    case Edit::copies: return "copies";
    case Edit::logical_copies: return "logical-copies";
  }
  return "";
}

void edit_initializers(Module& module, Stage stage, EditChoice& choice) {
  for (const EntryPoint& entry : module.entries()) {
    Function* const function = module.function(entry.function);
    if (function && !function->blocks.empty()) FirstStores(module, stage, choice).run(function->blocks.front());
    if (stage == Stage::tess_control) InitializedOutputs(module).run(entry, choice);
  }
}

void edit_copies(Module& module, EditChoice& choice) {
  const varyings::DecorationIndex decorations(module);
  for (Function& function : module.functions)
    for (Block& block : function.blocks)
      for (std::size_t at = 0; at < block.body.size(); ++at) {
        const InstRef ref = block.body[at];
        if (!can_be_copied(module, ref) || !may_stand_behind(module, block, at) || !choice.take(0.12)) continue;
        const Inst inst = module[ref];
        const bool pointer = is_pointer(module, inst.type);
        const Id copy = module.new_id();
        const InstRef copied = module.create(Op::OpCopyObject, inst.type, copy, {id(inst.result)});
        block.body.insert(block.body.begin() + static_cast<std::ptrdiff_t>(++at), copied);
        decorate_copy(module, copy, inst.type, decorations.of(inst.result).has(spv::Decoration::NonUniform), choice);
        replace_uses(module, inst.result, copy, choice, 0.8,
                     [&](InstRef user) { return pointer && keeps_pointer(module, user); });
      }
}

void edit_logical_copies(Module& module, EditChoice& choice) {
  if (module.version < kVersion1_4) return;
  std::map<Id, Id> twins;
  for (Function& function : module.functions)
    for (Block& block : function.blocks)
      for (std::size_t at = 0; at < block.body.size(); ++at) {
        const Inst inst = module[block.body[at]];
        const Op type = module.def_op(inst.type);
        if (inst.op != Op::OpLoad || (type != Op::OpTypeStruct && type != Op::OpTypeArray) || !choice.take(0.5))
          continue;
        const Id twin = twin_of(module, inst.type, twins), there = module.new_id(), back = module.new_id();
        const InstRef forth = module.create(Op::OpCopyLogical, twin, there, {id(inst.result)});
        const auto place = block.body.begin() + static_cast<std::ptrdiff_t>(at + 1);
        const InstRef again = module.create(Op::OpCopyLogical, inst.type, back, {id(there)});
        block.body.insert(place, {forth, again});
        at += 2;
        // Members have the same types in both, so that they can be taken out of either.
        replace_uses(module, inst.result, there, choice, 0.5,
                     [&](InstRef user) { return module[user].op != Op::OpCompositeExtract; });
        replace_uses(module, inst.result, back, choice, 1.0, [&](InstRef user) { return user == forth; });
      }
}

void apply_edits(Module& module, Stage stage, const EditPlan& plan) {
  for (const Edit edit : plan.edits) {
    EditChoice choice(plan.seed + static_cast<std::uint64_t>(edit) * 1000 + static_cast<std::uint64_t>(stage),
                      plan.everywhere);
    switch (edit) {
      case Edit::operand_signs: edit_operand_signs(module, choice); break;
      case Edit::initializers: edit_initializers(module, stage, choice); break;
      case Edit::copies: edit_copies(module, choice); break;
      case Edit::logical_copies: edit_logical_copies(module, choice); break;
    }
  }
  module.sweep();
}

}  // namespace varylink::fuzz
