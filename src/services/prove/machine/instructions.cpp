// One instruction after the other: constants, composites, memory, calls, and what the outside notices.
#include <algorithm>

#include "prove/machine/machine.h"
#include "spirv/ir/op_info.h"
#include "spirv/ir/uses.h"
#include "spirv/tools/names.h"

namespace varylink::prove {
namespace {

constexpr std::uint32_t kOrdering = static_cast<std::uint32_t>(spv::MemoryAccessMask::MakePointerAvailable) |
                                    static_cast<std::uint32_t>(spv::MemoryAccessMask::MakePointerVisible) |
                                    static_cast<std::uint32_t>(spv::MemoryAccessMask::NonPrivatePointer);

}  // namespace

Value Machine::value(Id id) {
  if (!known_.at(id)) {
    known_[id] = true;
    const spirv::InstRef def = module_.def(id);
    if (!def) throw Unsupported{"an id without a definition"};
    values_[id] = module_[def].op == spv::Op::OpVariable ? Value{{}, pointer_to(id)} : constant_value(id);
  }
  return values_[id];
}

Value Machine::constant_value(Id id) {
  const spirv::InstRef ref = module_.def(id);
  const spirv::Inst& inst = module_[ref];
  const auto operands = module_.operands(ref);
  Value result;
  switch (inst.op) {
    case spv::Op::OpConstant: {
      std::uint64_t bits = operands[0].word;
      if (operands.size() > 1) bits |= std::uint64_t{operands[1].word} << 32;
      result.leaves = {terms_.constant(facts_.sort(inst.type), bits)};
      break;
    }
    case spv::Op::OpConstantTrue:
    case spv::Op::OpConstantFalse: result.leaves = {terms_.boolean(inst.op == spv::Op::OpConstantTrue)}; break;
    case spv::Op::OpConstantNull:
      for (const Sort sort : facts_.sorts(inst.type)) result.leaves.push_back(terms_.constant(sort, 0));
      break;
    case spv::Op::OpUndef:
      for (const Sort sort : facts_.sorts(inst.type)) result.leaves.push_back(terms_.undefined(sort));
      break;
    case spv::Op::OpConstantComposite:
    case spv::Op::OpSpecConstantComposite:
      facts_.leaf_count(inst.type);  // not more than a proof can hold
      for (const spirv::Operand& operand : operands) {
        const Value part = value(operand.word);
        result.leaves.insert(result.leaves.end(), part.leaves.begin(), part.leaves.end());
      }
      break;
    case spv::Op::OpSpecConstant:
    case spv::Op::OpSpecConstantTrue:
    case spv::Op::OpSpecConstantFalse: {
      const auto* number = facts_.decoration(id, spv::Decoration::SpecId);
      if (number == nullptr) throw Unsupported{"a specialization constant without a number"};
      // Each stage has values of its own (Vulkan 10.8), so that constants with one number are two, unless the
      // application says otherwise. The default counts: it is the value where nobody gives one. Booleans have it in the
      // opcode.
      std::vector<std::uint64_t> literals = {*number};
      if (!inputs_.specialization_is_shared()) literals.push_back(static_cast<std::uint64_t>(stage_));
      literals.push_back(static_cast<std::uint64_t>(inst.op));
      for (const spirv::Operand& operand : operands) literals.push_back(operand.word);
      result.leaves = {terms_.symbol(facts_.sort(inst.type), "specialization constant", literals, true)};
      break;
    }
    case spv::Op::OpSpecConstantOp: return spec_operation(ref);
    default: throw Unsupported{"a value made by " + spirv::name_of(inst.op)};
  }
  return result;
}

Value Machine::spec_operation(spirv::InstRef ref) {
  const auto operands = module_.operands(ref);
  const auto op = static_cast<spv::Op>(operands[0].word);
  std::vector<Value> values;
  std::vector<Id> types;
  for (const spirv::Operand& operand : operands.subspan(1)) {
    if (!operand.is_id) throw Unsupported{"a specialization constant made of composites"};
    values.push_back(value(operand.word));
    types.push_back(module_.type_of(operand.word));
  }
  return arithmetic(op, module_[ref].type, values, false, types);
}

Term Machine::without_mark(Term handle, const char* name) const {
  return terms_.is(handle, name) ? terms_.children(handle)[0] : handle;
}

// A descriptor that is chosen per invocation is another one than the same descriptor chosen per subgroup. What counts
// is how the operand of the access is decorated (Vulkan, Descriptor Indexing), which of images is not the pointer.
Term Machine::non_uniform(Id id, Term handle, const char* name) {
  if (!facts_.has(id, spv::Decoration::NonUniform) || terms_.is(handle, name)) return handle;
  return terms_.apply(Sort::handle, name, {handle});
}

void Machine::run_instruction(spirv::InstRef ref) {
  const spirv::Inst& inst = module_[ref];
  if (spirv::is_debug_inst(module_, ref)) return;
  switch (inst.op) {
    case spv::Op::OpNop:
    case spv::Op::OpLabel:
    case spv::Op::OpSelectionMerge:
    case spv::Op::OpLoopMerge: return;
    default: break;
  }
  const bool known = run_composite(ref) || run_memory(ref) || run_image(ref) || run_outside(ref) || run_emit(ref) ||
                     run_glsl(ref) || run_arithmetic(ref);
  if (!known) throw Unsupported{"Op" + spirv::name_of(inst.op) + " has no reading"};
  if (inst.result == 0) return;
  Value& result = values_[inst.result];
  for (Term& leaf : result.leaves)
    if (terms_[leaf].sort == Sort::handle)
      leaf = non_uniform(inst.result, without_mark(leaf, "non-uniform handle"), "non-uniform handle");
}

bool Machine::run_composite(spirv::InstRef ref) {
  const spirv::Inst& inst = module_[ref];
  const auto operands = module_.operands(ref);
  Value result;
  switch (inst.op) {
    case spv::Op::OpCopyObject:
    case spv::Op::OpCopyLogical: result = value(operands[0].word); break;
    case spv::Op::OpCompositeConstruct:
      facts_.leaf_count(inst.type);  // not more than a proof can hold
      for (const spirv::Operand& operand : operands) {
        const Value part = value(operand.word);
        result.leaves.insert(result.leaves.end(), part.leaves.begin(), part.leaves.end());
      }
      break;
    case spv::Op::OpCompositeExtract:
    case spv::Op::OpCompositeInsert: {
      const bool insert = inst.op == spv::Op::OpCompositeInsert;
      const Id composite = operands[insert ? 1 : 0].word;
      Id type = module_.type_of(composite);
      std::uint32_t leaf = 0;
      for (const spirv::Operand& index : operands.subspan(insert ? 2 : 1)) {
        leaf += facts_.leaf_offset(type, index.word);
        type = facts_.element(type, index.word);
      }
      const Value whole = value(composite);
      if (insert) {
        result = whole;
        const Value part = value(operands[0].word);
        std::ranges::copy(part.leaves, result.leaves.begin() + leaf);
      } else {
        result.leaves.assign(whole.leaves.begin() + leaf, whole.leaves.begin() + leaf + facts_.leaf_count(type));
      }
      break;
    }
    case spv::Op::OpVectorShuffle: {
      Value all = value(operands[0].word);
      const Value second = value(operands[1].word);
      all.leaves.insert(all.leaves.end(), second.leaves.begin(), second.leaves.end());
      for (const spirv::Operand& index : operands.subspan(2))
        result.leaves.push_back(index.word == 0xffffffffu ? terms_.undefined(facts_.sorts(inst.type)[0])
                                                          : all.leaves.at(index.word));
      break;
    }
    case spv::Op::OpVectorExtractDynamic:
    case spv::Op::OpVectorInsertDynamic: {
      const bool insert = inst.op == spv::Op::OpVectorInsertDynamic;
      const Value vector = value(operands[0].word);
      const Term index = scalar(operands[insert ? 2 : 1].word);
      const Term part = insert ? scalar(operands[1].word) : kNoTerm;
      if (insert) result = vector;
      Term chosen = vector.leaves.back();
      if (!terms_.is_constant(index))
        note_element(index, vector.leaves.size());
      else if (terms_.has_original())
        require_inside(module_.type_of(operands[0].word), index);
      for (std::size_t i = vector.leaves.size(); i-- > 0;) {
        const Term parts[] = {index, terms_.constant(terms_[index].sort, i)};
        const Term here = scalar_operation(spv::Op::OpIEqual, Sort::boolean, parts, false);
        if (insert)
          result.leaves[i] = terms_.choose(here, part, vector.leaves[i]);
        else if (i + 1 < vector.leaves.size())
          chosen = terms_.choose(here, vector.leaves[i], chosen);
      }
      if (!insert) result.leaves = {chosen};
      break;
    }
    case spv::Op::OpUndef: result = constant_value(inst.result); break;
    default: return false;
  }
  set(inst.result, std::move(result));
  return true;
}

// The pointer with what the memory operands of an access say about its order among those of other invocations
//
Pointer Machine::ordered(Pointer pointer, std::span<const spirv::Operand> operands) {
  if (operands.empty() || (operands[0].word & kOrdering) == 0) return pointer;
  if (pointer.where != Pointer::Where::buffer) throw Unsupported{"an access outside of buffers that is ordered"};
  pointer.ordering = operands[0].word & kOrdering;
  for (const spirv::Operand& operand : operands)
    if (operand.is_id) pointer.ordering = pointer.ordering << 16 | terms_.bits(scalar(operand.word));
  return pointer;
}

bool Machine::run_memory(spirv::InstRef ref) {
  const spirv::Inst& inst = module_[ref];
  const auto operands = module_.operands(ref);
  const auto pointer = [&](Id id) {
    const Value address = value(id);
    if (!address.pointer) throw Unsupported{"memory that is not reached through a variable"};
    return *address.pointer;
  };
  const auto is_volatile = [&](std::size_t at) { return operands.size() > at && (operands[at].word & 1) != 0; };
  switch (inst.op) {
    case spv::Op::OpVariable: {
      Value address{{}, pointer_to(inst.result)};
      const std::uint32_t first = address.pointer->leaf;
      const std::vector<Sort> sorts = facts_.sorts(address.pointer->type);
      for (std::size_t i = 0; i < sorts.size(); ++i) state_.leaves[first + i] = terms_.undefined(sorts[i]);
      if (operands.size() > 1) std::ranges::copy(value(operands[1].word).leaves, state_.leaves.begin() + first);
      set(inst.result, std::move(address));
      return true;
    }
    case spv::Op::OpAccessChain:
    case spv::Op::OpInBoundsAccessChain: set(inst.result, access_chain(ref)); return true;
    case spv::Op::OpLoad:
      if (is_volatile(1)) throw Unsupported{"a volatile read"};
      set(inst.result, load(ordered(pointer(operands[0].word), operands.subspan(1))));
      return true;
    case spv::Op::OpStore:
      if (is_volatile(2)) throw Unsupported{"a volatile write"};
      store(ordered(pointer(operands[0].word), operands.subspan(2)), value(operands[1].word));
      return true;
    case spv::Op::OpCopyMemory:
      if (is_volatile(2) || is_volatile(3)) throw Unsupported{"a volatile copy"};
      for (const spirv::Operand& operand : operands.subspan(2))
        if (operand.is_id || (operand.word & kOrdering) != 0) throw Unsupported{"a copy that is ordered"};
      store(pointer(operands[0].word), load(pointer(operands[1].word)));
      return true;
    case spv::Op::OpArrayLength: {
      const Pointer block = pointer(operands[0].word);
      note_access(block);
      const auto* offset = facts_.member_decoration(block.type, operands[1].word, spv::Decoration::Offset);
      const auto* stride =
          facts_.decoration(facts_.element(block.type, operands[1].word), spv::Decoration::ArrayStride);
      if (offset == nullptr || stride == nullptr) throw Unsupported{"a length of an array without a place"};
      set(inst.result, {{terms_.apply(Sort::int32, "array length", {block.root}, {*offset, *stride})}, {}});
      return true;
    }
    case spv::Op::OpFunctionCall: call_function(ref); return true;
    default: return false;
  }
}

void Machine::call_function(spirv::InstRef ref) {
  const auto operands = module_.operands(ref);
  const spirv::Function* function = module_.function(operands[0].word);
  if (function == nullptr) throw Unsupported{"a call of something that is no function"};
  std::size_t argument = 1;
  for (const spirv::InstRef head : function->head)
    if (module_[head].op == spv::Op::OpFunctionParameter) {
      set(module_[head].result, value(operands[argument++].word));
    }
  const std::vector<bool>* outer_loop = loop_blocks_;
  loop_blocks_ = nullptr;
  const Term condition = condition_;
  const std::map<Id, Value> carried = std::move(carried_);
  std::vector<Exit> exits = call(*function, condition, std::move(state_));
  loop_blocks_ = outer_loop;
  carried_ = carried;
  std::vector<Path> returns;
  for (Exit& exit : exits)
    if (exit.target == kReturn)
      returns.push_back(std::move(exit.path));
    else
      call_exits_.push_back(std::move(exit));
  if (returns.empty()) {
    condition_ = terms_.boolean(false);
    return;
  }
  Path after = merge(std::move(returns));
  condition_ = after.condition;
  state_ = std::move(after.state);
  set(module_[ref].result, after.phis.empty() ? Value{} : std::move(after.phis[0]));
}

// What an operation gives that takes differences between the invocations of a quad, with the condition under which
// they run: where only some of them do, it is undefined (Vulkan, "Derivative Operations"). In an iteration of a loop
// the conditions of getting there are operands, elsewhere if the terms say so.
Term Machine::across_quad(Sort sort, const std::string& name, std::span<const Term> operands,
                          std::span<const std::uint64_t> literals) {
  std::vector<Term> parts(operands.begin(), operands.end());
  std::vector<Term> conditions = loop_conditions_;
  conditions.push_back(condition_);
  if (summarizing_ != 0 || terms_.quads_by_condition)
    for (const Term condition : conditions)
      if (!terms_.is_true(condition)) parts.push_back(condition);
  const Term in_any_round = terms_.apply_across(sort, name, parts, literals);
  quad_conditions_[in_any_round].insert(summarizing_ != 0 ? loop_condition_ : condition_);
  if (rounds_.empty()) return in_any_round;
  parts.insert(parts.end(), rounds_.begin(), rounds_.end());
  return terms_.apply_across(sort, name, parts, literals);
}

// What HelperInvocation holds behind that equals what it held before nowhere (SPIR-V, OpDemoteToHelperInvocation).
void Machine::demote() {
  state_.leaves[kDemotedLeaf] = terms_.boolean(true);
  for (const auto& [variable, slot] : slots_) {
    const auto* built_in = facts_.decoration(variable, spv::Decoration::BuiltIn);
    if (built_in == nullptr || *built_in != static_cast<std::uint32_t>(spv::BuiltIn::HelperInvocation)) continue;
    Term& leaf = state_.leaves.at(slot);
    leaf = terms_.apply_varying(Sort::boolean, "is helper as loaded", std::vector<Term>{leaf}, {}, false);
  }
}

// What is neither arithmetic nor memory: derivatives, discards, atomics.
bool Machine::run_outside(spirv::InstRef ref) {
  const spirv::Inst& inst = module_[ref];
  const auto operands = module_.operands(ref);
  switch (inst.op) {
    case spv::Op::OpDPdx:
    case spv::Op::OpDPdy:
    case spv::Op::OpFwidth:
    case spv::Op::OpDPdxFine:
    case spv::Op::OpDPdyFine:
    case spv::Op::OpFwidthFine:
    case spv::Op::OpDPdxCoarse:
    case spv::Op::OpDPdyCoarse:
    case spv::Op::OpFwidthCoarse: {
      Value result;
      for (const Term leaf : value(operands[0].word).leaves)
        result.leaves.push_back(
            across_quad(terms_[leaf].sort, spirv::name_of(inst.op), std::span<const Term>(&leaf, 1)));
      set(inst.result, std::move(result));
      return true;
    }
    case spv::Op::OpControlBarrier:
      if (stage_ == Stage::tess_control)
        patch_barrier();
      else
        workgroup_barrier();
      effect("barrier", {scalar(operands[0].word), scalar(operands[1].word), scalar(operands[2].word)});
      return true;
    case spv::Op::OpSetMeshOutputsEXT:
      effect("set mesh outputs", {scalar(operands[0].word), scalar(operands[1].word)});
      return true;
    case spv::Op::OpDemoteToHelperInvocation: demote(); return true;
    case spv::Op::OpIsHelperInvocationEXT:
      set(inst.result, {{terms_.apply_varying(Sort::boolean, "is helper",
                                              std::vector<Term>{state_.leaves[kDemotedLeaf]}, {}, false)},
                        {}});
      return true;
    case spv::Op::OpAtomicLoad:
    case spv::Op::OpAtomicStore:
    case spv::Op::OpAtomicExchange:
    case spv::Op::OpAtomicCompareExchange:
    case spv::Op::OpAtomicIIncrement:
    case spv::Op::OpAtomicIDecrement:
    case spv::Op::OpAtomicIAdd:
    case spv::Op::OpAtomicISub:
    case spv::Op::OpAtomicSMin:
    case spv::Op::OpAtomicUMin:
    case spv::Op::OpAtomicSMax:
    case spv::Op::OpAtomicUMax:
    case spv::Op::OpAtomicAnd:
    case spv::Op::OpAtomicOr:
    case spv::Op::OpAtomicXor: run_atomic(ref); return true;
    default: return false;
  }
}

void Machine::run_atomic(spirv::InstRef ref) {
  const spirv::Inst& inst = module_[ref];
  const auto operands = module_.operands(ref);
  const Value address = value(operands[0].word);
  if (!address.pointer || address.pointer->where != Pointer::Where::buffer)
    throw Unsupported{"an atomic outside of buffers"};
  note_elements(*address.pointer);
  std::vector<Term> parts = {address.pointer->root, address.pointer->offset};
  for (const spirv::Operand& operand : operands.subspan(1)) parts.push_back(scalar(operand.word));
  std::vector<std::uint64_t> width;  // of what is changed, where no operand has it
  if (inst.result != 0) width.push_back(static_cast<std::uint64_t>(facts_.sort(inst.type)));
  effect(spirv::name_of(inst.op), parts, width);
  if (inst.result != 0)
    set(inst.result, {{terms_.apply(facts_.sort(inst.type), "result", {state_.leaves[kMemoryLeaf]})}, {}});
}

}  // namespace varylink::prove
