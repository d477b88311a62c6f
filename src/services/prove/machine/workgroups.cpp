// What the invocations of a task or mesh workgroup share: outputs of mesh stages, payloads, shared variables.
//
// A stage runs once, for an invocation whose number is a symbol. What is shared is a record of that invocation's stores
// in order, with their indices and conditions, and of the barriers between them. All invocations run the same code, so
// that equal records mean equal contents, at the same barrier and behind the last. Scalars that differ in more than
// indices into arrays have records of their own ("parts"), so that some of them may go.
#include <algorithm>

#include "prove/machine/machine.h"
#include "prove/machine/records.h"

namespace varylink::prove {

std::uint32_t Machine::parts_of(Id type) const {
  switch (facts_.op(type)) {
    case spv::Op::OpTypeArray: return parts_of(facts_.element(type));
    case spv::Op::OpTypeStruct: {
      std::uint32_t parts = 0;
      for (std::uint32_t i = 0; i < facts_.elements(type); ++i) parts += parts_of(facts_.element(type, i));
      return parts;
    }
    default: return facts_.leaf_count(type);
  }
}

void Machine::declare_shared(Id variable, Id type, spv::StorageClass storage) {
  const std::uint32_t parts = parts_of(type);
  slots_[variable] = static_cast<std::uint32_t>(state_.leaves.size());
  const bool payload = storage == spv::StorageClass::TaskPayloadWorkgroupEXT;
  const bool received = payload && stage_ == Stage::mesh;
  if (module_.operands(module_.def(variable)).size() > 1) throw Unsupported{"a shared variable with a first value"};
  if (facts_.has(variable, spv::Decoration::Aliased)) throw Unsupported{"shared variables at one place"};
  for (std::uint32_t part = 0; part < parts; ++part) {
    if (!received) shared_leaves_.push_back(static_cast<std::uint32_t>(state_.leaves.size()));
    state_.leaves.push_back(received ? inputs_.payload(part) : nothing_stored());
  }
}

void Machine::step_into_shared(Pointer& pointer, Term index) {
  const spv::Op op = facts_.op(pointer.type);
  if (op == spv::Op::OpTypeArray) {
    if (terms_.has_original()) require_inside(pointer.type, index);
    if (!terms_.is_constant(index)) pointer.steps.push_back({index, 0, facts_.elements(pointer.type)});
    pointer.indices.push_back(index);
    pointer.type = facts_.element(pointer.type);
    return;
  }
  if (!terms_.is_constant(index)) throw Unsupported{"a shared vector with an index that is not a constant"};
  const auto number = static_cast<std::uint32_t>(terms_.bits(index));
  if (number >= facts_.elements(pointer.type)) throw Unsupported{"an index out of bounds"};
  for (std::uint32_t i = 0; i < number; ++i) pointer.leaf += parts_of(facts_.element(pointer.type, i));
  pointer.type = facts_.element(pointer.type, number);
}

void Machine::for_each_part(const Pointer& pointer, const std::function<void(const Pointer&, Sort)>& visit) {
  const std::uint32_t elements = facts_.elements(pointer.type);
  if (elements == 0) return visit(pointer, facts_.sort(pointer.type));
  facts_.leaf_count(pointer.type);
  for (std::uint32_t i = 0; i < elements; ++i) {
    Pointer part = pointer;
    step_into_shared(part, terms_.integer(i));
    for_each_part(part, visit);
  }
}

// What a mesh stage reads of its payload is the same for all its invocations that read the same element: what all
// invocations of the task stage stored last to it, if that is one value.
Term Machine::load_payload(Term record, std::span<const Term> indices, Sort sort) {
  const std::optional<Term> value = stored_value(terms_, record, indices, sort);
  if (value && terms_[*value].convergent) return *value;
  std::vector<Term> parts = {record};
  parts.insert(parts.end(), indices.begin(), indices.end());
  const bool same = std::ranges::all_of(indices, [&](Term index) { return terms_[index].convergent; });
  return terms_.apply_varying(sort, "payload", parts, {}, same, true);  // of other stages' invocations
}

Value Machine::load_shared(const Pointer& pointer) {
  const bool received = std::ranges::find(shared_leaves_, pointer.leaf) == shared_leaves_.end();
  Value result;
  for_each_part(pointer, [&](const Pointer& part, Sort sort) {
    const Term record = state_.leaves.at(part.leaf);
    if (received) {
      result.leaves.push_back(load_payload(record, part.indices, sort));
      return;
    }
    note_read_of_others(part.leaf, part.indices);
    std::vector<Term> parts = {record};
    parts.insert(parts.end(), part.indices.begin(), part.indices.end());
    result.leaves.push_back(terms_.apply_across(sort, "load shared", parts));  // of what others store, too
  });
  return result;
}

void Machine::record(std::uint32_t leaf, std::vector<Term> parts) {
  parts.insert(parts.begin(), state_.leaves.at(leaf));
  state_.leaves[leaf] = terms_.apply_varying(Sort::memory, "store element", parts, {}, false);
}

void Machine::store_shared(const Pointer& pointer, const Value& value) {
  std::size_t leaf = 0;
  for_each_part(pointer, [&](const Pointer& part, Sort) {
    std::vector<Term> parts = part.indices;
    parts.push_back(value.leaves.at(leaf++));
    record(part.leaf, std::move(parts));
  });
}

void Machine::store_mesh_output(const Pointer& pointer, const Value& value) {
  if (!pointer.steps.empty()) throw Unsupported{"a mesh output with an index that is not a constant inside of it"};
  if (pointer.vertex != kNoTerm) {
    for (std::uint32_t i = 0; i < value.leaves.size(); ++i) record(pointer.leaf + i, {pointer.vertex, value.leaves[i]});
    return;
  }
  const std::uint32_t elements = facts_.elements(pointer.type);
  const std::size_t each = value.leaves.size() / elements;
  for (std::uint32_t element = 0; element < elements; ++element)
    for (std::uint32_t i = 0; i < each; ++i)
      record(pointer.leaf + i, {terms_.integer(element), value.leaves[element * each + i]});
}

// Unknown where a built-in or a specialization constant says the size.
bool Machine::is_row() const {
  for (const spirv::InstRef inst : module_.annotations)
    if (module_[inst].op == spv::Op::OpDecorate &&
        module_.operand(inst, 1).word == static_cast<std::uint32_t>(spv::Decoration::BuiltIn) &&
        module_.operand(inst, 2).word == static_cast<std::uint32_t>(spv::BuiltIn::WorkgroupSize))
      return false;
  const auto is_one = [&](const spirv::Operand& size) {
    if (!size.is_id) return size.word == 1;
    const spirv::InstRef def = module_.def(size.word);
    return module_[def].op == spv::Op::OpConstant && module_.operand(def, 0).word == 1;
  };
  return std::ranges::any_of(module_.execution_modes, [&](spirv::InstRef mode) {
    const auto operands = module_.operands(mode);
    const auto kind = static_cast<spv::ExecutionMode>(operands[1].word);
    return operands[0].word == entry_.function &&
           (kind == spv::ExecutionMode::LocalSize || kind == spv::ExecutionMode::LocalSizeId) && is_one(operands[3]) &&
           is_one(operands[4]);
  });
}

// Stores in front of it come before those of any invocation behind it.
void Machine::workgroup_barrier() {
  note_stores_behind_reads(state_);
  std::vector<std::uint32_t> leaves = shared_leaves_;
  if (stage_ == Stage::mesh)
    for (const auto& [variable, slot] : slots_)
      for (std::uint32_t i = 0; is_output(variable) && i < facts_.leaf_count(output_type(variable)); ++i)
        leaves.push_back(slot + i);
  for (const std::uint32_t leaf : leaves)
    state_.leaves[leaf] = terms_.apply_varying(Sort::memory, "barrier", {&state_.leaves[leaf], 1}, {}, false);
}

// Ends the task stage: the sizes, and under which condition. The mesh stage gets the payload that is named here;
// without one it gets nothing, whatever was stored.
void Machine::emit_mesh_tasks(spirv::InstRef ref) {
  const auto operands = module_.operands(ref);
  const Id payload = operands.size() > 3 ? operands[3].word : 0;
  if (payload_ && *payload_ != payload) throw Unsupported{"tasks with different payloads"};
  payload_ = payload;
  effect("emit mesh tasks", {scalar(operands[0].word), scalar(operands[1].word), scalar(operands[2].word)});
}

}  // namespace varylink::prove
