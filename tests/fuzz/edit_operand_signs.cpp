// Integer operations that mix signed and unsigned types. SPIR-V asks most of them only for equal widths and numbers of
// components; the opcode, not the type, says how the bits are read.
#include <optional>

#include "fuzz/spirv_edits.h"

namespace varylink::fuzz {
namespace {

using spv::Op;
using namespace spirv;

// Whether the operands may have any signedness. OpUDiv and OpUMod ask for the type of their result.
bool takes_any_sign(Op op) {
  switch (op) {
    case Op::OpIAdd:
    case Op::OpISub:
    case Op::OpIMul:
    case Op::OpSDiv:
    case Op::OpSRem:
    case Op::OpSMod:
    case Op::OpSNegate:
    case Op::OpNot:
    case Op::OpShiftLeftLogical:
    case Op::OpShiftRightLogical:
    case Op::OpShiftRightArithmetic:
    case Op::OpBitwiseAnd:
    case Op::OpBitwiseOr:
    case Op::OpBitwiseXor:
    case Op::OpIEqual:
    case Op::OpINotEqual:
    case Op::OpSLessThan:
    case Op::OpSLessThanEqual:
    case Op::OpSGreaterThan:
    case Op::OpSGreaterThanEqual:
    case Op::OpULessThan:
    case Op::OpULessThanEqual:
    case Op::OpUGreaterThan:
    case Op::OpUGreaterThanEqual:
    case Op::OpConvertSToF:
    case Op::OpConvertUToF: return true;
    default: return false;
  }
}

// Of these, whether the result may have any signedness as well.
bool gives_any_sign(const Module& module, const Inst& inst) {
  if (!takes_any_sign(inst.op) || inst.result == 0) return false;
  Id type = inst.type;
  if (module.def_op(type) == Op::OpTypeVector) type = module.operand(module.def(type), 0).word;
  return module.def_op(type) == Op::OpTypeInt;
}

class Types {
 public:
  explicit Types(Module& module) : module_(module) {}

  // The type with the other signedness.
  Id flipped(Id type) {
    const InstRef def = module_.def(type);
    if (module_[def].op == Op::OpTypeVector) {
      const Operand count = module_.operand(def, 1);
      const Id component = flipped(module_.operand(def, 0).word);
      return find_or_make(Op::OpTypeVector, id(component), count);
    }
    return find_or_make(Op::OpTypeInt, module_.operand(def, 0), lit(module_.operand(def, 1).word ^ 1u));
  }

 private:
  Module& module_;

  Id find_or_make(Op op, Operand first, Operand second) {
    for (const InstRef ref : module_.types)
      if (module_[ref].op == op && module_.operand(ref, 0) == first && module_.operand(ref, 1) == second)
        return module_[ref].result;
    const Id made = module_.new_id();
    module_.types.push_back(module_.create(op, 0, made, {first, second}));
    return made;
  }
};

// The integer of the other signedness that a bitcast reads, if it changes nothing else.
std::optional<Id> other_sign_of(const Module& module, Types& types, Id value) {
  const InstRef def = module.def(value);
  if (module.def_op(value) != Op::OpBitcast) return std::nullopt;
  const Id source = module.operand(def, 0).word;
  Id scalar = module[def].type;
  if (module.def_op(scalar) == Op::OpTypeVector) scalar = module.operand(module.def(scalar), 0).word;
  if (module.def_op(scalar) != Op::OpTypeInt || types.flipped(module[def].type) != module.type_of(source))
    return std::nullopt;
  return source;
}

}  // namespace

void edit_operand_signs(Module& module, EditChoice& choice) {
  Types types(module);
  // Results first: %r becomes a bitcast of the same operation in the other signedness.
  for (Function& function : module.functions)
    for (Block& block : function.blocks)
      for (std::size_t at = 0; at < block.body.size(); ++at) {
        const InstRef ref = block.body[at];
        const Inst inst = module[ref];
        if (!gives_any_sign(module, inst) || !choice.take(0.3)) continue;
        const auto span = module.operands(ref);
        const std::vector<Operand> operands(span.begin(), span.end());
        const Id other = module.new_id();
        const Id type = types.flipped(inst.type);
        module.kill(ref);
        block.body[at] = module.create(inst.op, type, other, operands);
        const InstRef cast = module.create(Op::OpBitcast, inst.type, inst.result, {id(other)});
        block.body.insert(block.body.begin() + static_cast<std::ptrdiff_t>(++at), cast);
      }
  // Then operands: what takes any signedness reads past the bitcast.
  for (Function& function : module.functions)
    for (Block& block : function.blocks)
      for (const InstRef ref : block.body) {
        if (!takes_any_sign(module[ref].op)) continue;
        for (std::uint32_t i = 0; i < module[ref].operand_count; ++i) {
          const std::optional<Id> source = other_sign_of(module, types, module.operand(ref, i).word);
          if (source && choice.take(0.7)) module.set_operand(ref, i, id(*source));
        }
      }
}

}  // namespace varylink::fuzz
