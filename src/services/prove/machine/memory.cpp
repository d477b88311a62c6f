// Variables, pointers, loads and stores of the machine.
#include <algorithm>

#include "prove/machine/interface_leaves.h"
#include "prove/machine/machine.h"

namespace varylink::prove {
namespace {

// Above all numbers of elements: the vertices that a stage reads or makes.
constexpr std::uint64_t kVertices = std::uint64_t{1} << 32;
constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 31;  // of a buffer that is accessed at constant places

}  // namespace

void Machine::declare_variables() {
  const std::vector<Id>& interface = entry_.interface;
  state_.leaves = {terms_.symbol(Sort::memory, std::string("memory of ") + std::string(short_name(stage_)), {}, false),
                   terms_.boolean(false), terms_.symbol(Sort::memory, "primitives", {}, false)};
  for (const spirv::InstRef ref : module_.types)
    if (module_[ref].op == spv::Op::OpVariable) {
      const auto storage = static_cast<spv::StorageClass>(module_.operand(ref, 0).word);
      const bool is_payload = storage == spv::StorageClass::TaskPayloadWorkgroupEXT;
      // Another entry point of the module may have its own. A task stage names its payload where it ends.
      const bool is_interface = storage == spv::StorageClass::Input || storage == spv::StorageClass::Output ||
                                (is_payload && stage_ == Stage::mesh);
      if (is_interface && std::ranges::find(interface, module_[ref].result) == interface.end()) continue;
      if (is_interface || is_payload || storage == spv::StorageClass::Workgroup ||
          storage == spv::StorageClass::Private)
        declare(ref);
    }
  for (const spirv::Function& function : module_.functions)
    for (const spirv::Block& block : function.blocks)
      for (const spirv::InstRef ref : block.body)
        if (module_[ref].op == spv::Op::OpVariable) declare(ref);
}

void Machine::declare(spirv::InstRef ref) {
  const Id variable = module_[ref].result;
  const Id type = module_.operand(module_.def(module_[ref].type), 1).word;
  const auto storage = static_cast<spv::StorageClass>(module_.operand(ref, 0).word);
  if (facts_.op(type) == spv::Op::OpTypePointer) throw Unsupported{"a variable that holds a pointer"};
  if (storage == spv::StorageClass::Workgroup || storage == spv::StorageClass::TaskPayloadWorkgroupEXT)
    return declare_shared(variable, type, storage);
  if (is_per_vertex(variable, type, storage)) return declare_per_vertex(variable, facts_.element(type), storage);
  const std::vector<Sort> sorts = facts_.sorts(type);
  slots_[variable] = static_cast<std::uint32_t>(state_.leaves.size());
  if (storage == spv::StorageClass::Input) return fill_inputs(variable, type, sorts);
  if (module_.operands(ref).size() > 1 && storage != spv::StorageClass::Function) {
    const Value initial = value(module_.operand(ref, 1).word);
    state_.leaves.insert(state_.leaves.end(), initial.leaves.begin(), initial.leaves.end());
    return;
  }
  const bool shared = storage == spv::StorageClass::Output && stage_ == Stage::tess_control;
  for (const Sort sort : sorts) state_.leaves.push_back(shared ? left(terms_.undefined(sort)) : terms_.undefined(sort));
}

void Machine::fill_inputs(Id variable, Id type, const std::vector<Sort>& sorts) {
  const std::vector<InterfaceLeaf> leaves = interface_leaves(facts_, variable, type);
  std::vector<InterfaceLoad>& reads = interface_loads_[variable];
  const bool is_invocation =
      stage_ == Stage::tess_control && facts_.decoration(variable, spv::Decoration::BuiltIn) != nullptr &&
      *facts_.decoration(variable, spv::Decoration::BuiltIn) == static_cast<std::uint32_t>(spv::BuiltIn::InvocationId);
  if (is_invocation) return state_.leaves.push_back(patch_invocation());
  for (std::size_t i = 0; i < sorts.size(); ++i) {
    reads.push_back(inputs_.input(leaves[i].place, sorts[i], leaves[i].interpolation));
    state_.leaves.push_back(reads.back().value);
  }
}

std::uint32_t Machine::slot_of(Id variable) {
  const auto found = slots_.find(variable);
  if (found == slots_.end()) throw Unsupported{"a variable of a storage class without a reading"};
  return found->second;
}

// What kind of image, sampler or array of them a descriptor is.
void Machine::append_shape(Id type, std::vector<std::uint64_t>& literals) const {
  while (facts_.op(type) == spv::Op::OpTypeArray || facts_.op(type) == spv::Op::OpTypeRuntimeArray)
    type = facts_.element(type);
  literals.push_back(static_cast<std::uint64_t>(facts_.op(type)));
  for (const spirv::Operand& operand : module_.operands(module_.def(type))) {
    if (!operand.is_id)
      literals.push_back(operand.word);
    else if (facts_.op(operand.word) == spv::Op::OpTypeImage)
      append_shape(operand.word, literals);
    else
      literals.push_back(static_cast<std::uint64_t>(facts_.op(operand.word)) << 8 |
                         module_.operand(module_.def(operand.word), 0).word);
  }
}

// Stores through another variable may change it (SPIR-V, "Aliasing": without Aliased they do not, unless it is the same
// descriptor).
bool Machine::is_aliased(Id variable) const {
  if (facts_.has(variable, spv::Decoration::Aliased)) return true;
  const auto* set = facts_.decoration(variable, spv::Decoration::DescriptorSet);
  const auto* binding = facts_.decoration(variable, spv::Decoration::Binding);
  if (set == nullptr || binding == nullptr) return false;
  return std::any_of(module_.types.begin(), module_.types.end(), [&](spirv::InstRef other) {
    const Id id = module_[other].result;
    if (module_[other].op != spv::Op::OpVariable || id == variable) return false;
    const auto* its_set = facts_.decoration(id, spv::Decoration::DescriptorSet);
    const auto* its_binding = facts_.decoration(id, spv::Decoration::Binding);
    return its_set != nullptr && its_binding != nullptr && *its_set == *set && *its_binding == *binding &&
           !facts_.has(id, spv::Decoration::NonWritable);
  });
}

Pointer Machine::pointer_to(Id variable) {
  const spirv::InstRef def = module_.def(variable);
  const spirv::InstRef pointer_type = module_.def(module_[def].type);
  Pointer pointer;
  pointer.variable = variable;
  pointer.type = module_.operand(pointer_type, 1).word;
  const auto storage = static_cast<spv::StorageClass>(module_.operand(pointer_type, 0).word);
  const auto literal = [&](spv::Decoration what) {
    const auto* found = facts_.decoration(variable, what);
    return std::uint64_t{found != nullptr ? *found : ~0u};
  };
  switch (storage) {
    case spv::StorageClass::UniformConstant: {
      pointer.where = Pointer::Where::descriptor;
      std::vector<std::uint64_t> literals = {literal(spv::Decoration::DescriptorSet), literal(spv::Decoration::Binding),
                                             literal(spv::Decoration::InputAttachmentIndex)};
      append_shape(pointer.type, literals);
      pointer.root = terms_.apply(Sort::handle, "descriptor", std::span<const Term>(), literals);
      pointer.is_volatile = facts_.has(variable, spv::Decoration::Volatile);
      break;
    }
    case spv::StorageClass::Uniform:
    case spv::StorageClass::StorageBuffer:
    case spv::StorageClass::PushConstant: {
      pointer.where = Pointer::Where::buffer;
      const bool push = storage == spv::StorageClass::PushConstant;
      Id block = pointer.type;
      while (facts_.op(block) == spv::Op::OpTypeArray || facts_.op(block) == spv::Op::OpTypeRuntimeArray)
        block = facts_.element(block);
      const bool storage_buffer =
          storage == spv::StorageClass::StorageBuffer || facts_.has(block, spv::Decoration::BufferBlock);
      const std::uint64_t literals[] = {literal(spv::Decoration::DescriptorSet), literal(spv::Decoration::Binding)};
      pointer.root = terms_.apply(Sort::handle,
                                  push             ? "push constants"
                                  : storage_buffer ? "storage buffer"
                                                   : "uniform buffer",
                                  std::span<const Term>(), push ? std::span<const std::uint64_t>() : literals);
      pointer.offset = terms_.integer(0);
      pointer.block_reached = block == pointer.type;
      pointer.is_aliased = storage_buffer && is_aliased(variable);
      pointer.read_only =
          !storage_buffer || (!pointer.is_aliased && facts_.has(variable, spv::Decoration::NonWritable));
      pointer.is_volatile = facts_.has(variable, spv::Decoration::Volatile);
      break;
    }
    default:
      pointer.is_volatile = facts_.has(variable, spv::Decoration::Volatile);
      if (is_per_vertex(variable, pointer.type, storage)) {
        pointer.where =
            storage == spv::StorageClass::Input ? Pointer::Where::vertex_input : Pointer::Where::vertex_output;
        if (storage == spv::StorageClass::Output) pointer.leaf = slot_of(variable);
        if (stage_ == Stage::mesh) pointer.where = Pointer::Where::mesh_output;
      } else {
        pointer.leaf = slot_of(variable);
        if (storage == spv::StorageClass::Workgroup || storage == spv::StorageClass::TaskPayloadWorkgroupEXT)
          pointer.where = Pointer::Where::shared;
      }
  }
  return pointer;
}

Value Machine::access_chain(spirv::InstRef ref) {
  const auto operands = module_.operands(ref);
  const Value base = value(operands[0].word);
  if (!base.pointer) throw Unsupported{"an access through something that is no pointer"};
  Pointer pointer = *base.pointer;
  if (pointer.root != kNoTerm) pointer.root = without_mark(pointer.root, "non-uniform");
  for (std::size_t i = 1; i < operands.size(); ++i) step_into(pointer, scalar(operands[i].word));
  if (pointer.root != kNoTerm) pointer.root = non_uniform(module_[ref].result, pointer.root, "non-uniform");
  return {{}, pointer};
}

void Machine::step_into(Pointer& pointer, Term index) {
  const bool per_vertex = pointer.where == Pointer::Where::vertex_input ||
                          pointer.where == Pointer::Where::vertex_output ||
                          pointer.where == Pointer::Where::mesh_output;
  if (pointer.where == Pointer::Where::shared) return step_into_shared(pointer, index);
  if (per_vertex && pointer.vertex == kNoTerm) {
    if (terms_.has_original()) require_inside(pointer.type, index);
    pointer.vertex = index;
    pointer.type = facts_.element(pointer.type);
    return;
  }
  if (per_vertex || pointer.where == Pointer::Where::invocation) return step_into_invocation(pointer, index);
  if (pointer.where == Pointer::Where::descriptor || !pointer.block_reached) {
    const std::vector<std::uint64_t> literals(terms_.literals(pointer.root).begin(),
                                              terms_.literals(pointer.root).end());
    std::vector<Term> parts(terms_.children(pointer.root).begin(), terms_.children(pointer.root).end());
    parts.push_back(index);
    step_inside(pointer, index);
    pointer.root = terms_.apply(Sort::handle, terms_.text(terms_[pointer.root].name), parts, literals);
    pointer.type = facts_.element(pointer.type);
    pointer.block_reached = facts_.op(pointer.type) == spv::Op::OpTypeStruct;
    return;
  }
  step_into_buffer(pointer, index);
}

// Of a buffer or descriptor, whose stages may declare arrays of different lengths there.
void Machine::step_inside(Pointer& pointer, Term index) const {
  if (facts_.op(pointer.type) == spv::Op::OpTypeRuntimeArray) return step_into_endless(pointer, index);
  require_inside(pointer.type, index);
  if (!terms_.is_constant(index)) pointer.steps.push_back({index, 0, facts_.elements(pointer.type)});
}

// Its elements have as many numbers as fit: bytes are counted in 32 bits, so that others would come to the same place.
void Machine::step_into_endless(Pointer& pointer, Term index) const {
  const auto* stride = facts_.decoration(pointer.type, spv::Decoration::ArrayStride);
  const std::uint64_t bytes = stride != nullptr ? *stride : 1;
  if (terms_.is_constant(index) && terms_.bits(index) * bytes > kMostBytes)
    throw Unsupported{"an element behind the end of all buffers"};
  if (!terms_.is_constant(index)) pointer.steps.push_back({index, 0, 0});
}

void Machine::require_inside(Id type, Term index) const {
  if (terms_.is_constant(index) && terms_.bits(index) >= facts_.elements(type))
    throw Unsupported{"an element behind the end of its array"};
}

void Machine::step_into_invocation(Pointer& pointer, Term index) {
  if (terms_.is_constant(index)) {
    if (terms_.has_original()) require_inside(pointer.type, index);
    const auto number = static_cast<std::uint32_t>(terms_.bits(index));
    pointer.leaf += facts_.leaf_offset(pointer.type, number);
    pointer.type = facts_.element(pointer.type, number);
    if (facts_.op(pointer.type) == spv::Op::OpTypePointer) throw Unsupported{"a pointer in memory"};
    return;
  }
  if (facts_.op(pointer.type) == spv::Op::OpTypeStruct) throw Unsupported{"a member without a constant index"};
  const bool is_vector = facts_.op(pointer.type) == spv::Op::OpTypeVector;
  if (!is_vector || !joins_row(pointer, index, facts_.leaf_count(pointer.type)))
    pointer.steps.push_back({index, facts_.leaf_count(facts_.element(pointer.type)), facts_.elements(pointer.type)});
  pointer.type = facts_.element(pointer.type);
}

void Machine::step_into_buffer(Pointer& pointer, Term index) {
  const Id type = pointer.type;
  const Sort index_sort = terms_[index].sort;
  if (width_of(index_sort) != 32) {
    if (!terms_.is_constant(index)) throw Unsupported{"a buffer index that has not 32 bits"};
    index = terms_.integer(static_cast<std::uint64_t>(terms_.signed_value(index)));
  }
  const auto advance = [&](std::uint32_t stride) {
    pointer.offset = terms_.add(pointer.offset, terms_.multiply(index, terms_.integer(stride)));
  };
  const auto scalar_size = [&](Id of) { return width_of(facts_.sort(of)) / 8; };
  const auto advance_inside = [&](std::uint32_t stride) {
    step_inside(pointer, index);
    advance(stride);
    if (!terms_.is_constant(index)) pointer.part = pointer.offset;
  };
  switch (facts_.op(type)) {
    case spv::Op::OpTypeStruct: {
      if (!terms_.is_constant(index)) throw Unsupported{"a member without a constant index"};
      const auto member = static_cast<std::uint32_t>(terms_.bits(index));
      const auto* offset = facts_.member_decoration(type, member, spv::Decoration::Offset);
      if (offset == nullptr) throw Unsupported{"a buffer member without an offset"};
      pointer.offset = terms_.add(pointer.offset, terms_.integer(*offset));
      pointer.row_major = facts_.member_decoration(type, member, spv::Decoration::RowMajor) != nullptr;
      const auto* stride = facts_.member_decoration(type, member, spv::Decoration::MatrixStride);
      pointer.matrix_stride = stride != nullptr ? *stride : 0;
      pointer.read_only =
          pointer.read_only ||
          (!pointer.is_aliased && facts_.member_decoration(type, member, spv::Decoration::NonWritable) != nullptr);
      pointer.is_volatile =
          pointer.is_volatile || facts_.member_decoration(type, member, spv::Decoration::Volatile) != nullptr;
      pointer.type = facts_.element(type, member);
      return;
    }
    case spv::Op::OpTypeArray:
    case spv::Op::OpTypeRuntimeArray: {
      const auto* stride = facts_.decoration(type, spv::Decoration::ArrayStride);
      if (stride == nullptr) throw Unsupported{"a buffer array without a stride"};
      step_inside(pointer, index);
      advance(*stride);
      pointer.element = pointer.offset;
      break;
    }
    case spv::Op::OpTypeMatrix:
      advance_inside(pointer.row_major ? scalar_size(facts_.element(facts_.element(type))) : pointer.matrix_stride);
      pointer.vector_stride = pointer.row_major ? pointer.matrix_stride : 0;
      break;
    case spv::Op::OpTypeVector:
      advance_inside(pointer.vector_stride != 0 ? pointer.vector_stride : scalar_size(facts_.element(type)));
      break;
    default: throw Unsupported{"an index into a scalar"};
  }
  pointer.type = facts_.element(type);
}

// Calls `visit` with sort and byte offset of every scalar of the type at `offset`.
void Machine::for_each_scalar(const Pointer& layout, Id type, Term offset,
                              const std::function<void(Sort, Term)>& visit) {
  switch (facts_.op(type)) {
    case spv::Op::OpTypeVector:
    case spv::Op::OpTypeMatrix:
    case spv::Op::OpTypeArray:
    case spv::Op::OpTypeStruct:
      facts_.leaf_count(type);
      for (std::uint32_t i = 0; i < facts_.elements(type); ++i) {
        Pointer part = layout;
        part.type = type;
        part.offset = offset;
        step_into_buffer(part, terms_.integer(i));
        if (part.is_volatile) throw Unsupported{"a volatile member"};
        for_each_scalar(part, part.type, part.offset, visit);
      }
      return;
    default: visit(facts_.sort(type), offset);
  }
}

Term Machine::load_steps(const Pointer& pointer, std::size_t step, std::uint32_t leaf,
                         const std::function<Term(std::uint32_t)>& at) {
  if (step == pointer.steps.size()) return at(leaf);
  const Pointer::Step& index = pointer.steps[step];
  Term result = load_steps(pointer, step + 1, leaf + (index.count - 1) * index.stride, at);
  for (std::uint32_t i = index.count - 1; i-- > 0;) {
    const Term parts[] = {index.index, terms_.constant(terms_[index.index].sort, i)};
    result = terms_.choose(scalar_operation(spv::Op::OpIEqual, Sort::boolean, parts, false),
                           load_steps(pointer, step + 1, leaf + i * index.stride, at), result);
  }
  return result;
}

void Machine::store_steps(const Pointer& pointer, std::size_t step, std::uint32_t leaf, Term condition,
                          const Value& value) {
  if (step == pointer.steps.size()) {
    for (std::size_t i = 0; i < value.leaves.size(); ++i)
      state_.leaves.at(leaf + i) = terms_.choose(condition, value.leaves[i], state_.leaves.at(leaf + i));
    return;
  }
  const Pointer::Step& index = pointer.steps[step];
  for (std::uint32_t i = 0; i < index.count; ++i) {
    const Term parts[] = {index.index, terms_.constant(terms_[index.index].sort, i)};
    const Term here = scalar_operation(spv::Op::OpIEqual, Sort::boolean, parts, false);
    store_steps(pointer, step + 1, leaf + i * index.stride, terms_.logical_and(condition, here), value);
  }
}

Value Machine::load(const Pointer& pointer) {
  if (pointer.is_volatile) throw Unsupported{"a volatile read"};
  const std::optional<Term> place = note_access(pointer);
  if (pointer.where == Pointer::Where::descriptor) return {{pointer.root}, {}};
  if (pointer.where == Pointer::Where::buffer) return load_buffer(pointer, place);
  if (pointer.where == Pointer::Where::shared) return load_shared(pointer);
  if (pointer.where == Pointer::Where::mesh_output) throw Unsupported{"a mesh output that is read"};
  if (pointer.where != Pointer::Where::invocation) return load_vertices(pointer);
  const bool shared = stage_ == Stage::tess_control && is_output(pointer.variable);
  return load_leaves(pointer, [&](std::uint32_t leaf) {
    if (!shared) return state_.leaves.at(leaf);
    note_read_of_others(leaf, std::span<const Term>());
    return read_of_patch(state_.leaves.at(leaf));
  });
}

// `place`: of note_access().
Value Machine::load_buffer(const Pointer& pointer, std::optional<Term> place) {
  Value result;
  std::optional<std::uint64_t> end = 0;
  for_each_scalar(pointer, pointer.type, pointer.offset, [&](Sort sort, Term offset) {
    std::vector<Term> parts = {pointer.root, offset};
    if (!pointer.read_only) parts.push_back(state_.leaves[kMemoryLeaf]);
    result.leaves.push_back(terms_.apply(sort, "load", parts, pointer.order()));
    if (!terms_.is_constant(offset)) end.reset();
    if (end) end = std::max(*end, terms_.bits(offset) + width_of(sort) / 8);
  });
  if (!end || !pointer.read_only || summarizing_ != 0) return result;
  const auto raise = [&](std::map<Term, std::uint64_t>& ends, Term what) { ends[what] = std::max(ends[what], *end); };
  if (place) raise(read_ends_, *place);
  if (terms_.is_true(condition_)) raise(certain_ends_, pointer.root);
  return result;
}

// The leaves of what the pointer points at, through its indices that are not constant.
Value Machine::load_leaves(const Pointer& pointer, const std::function<Term(std::uint32_t)>& leaf) {
  Value result;
  std::uint64_t combinations = 1;
  for (const Pointer::Step& step : pointer.steps) combinations *= step.count;
  if (combinations > 256) throw Unsupported{"a dynamic index into more than 256 elements"};
  for (std::uint32_t i = 0; i < facts_.leaf_count(pointer.type); ++i)
    result.leaves.push_back(load_steps(pointer, 0, pointer.leaf + i, leaf));
  return result;
}

void Machine::store(const Pointer& pointer, const Value& value) {
  if (pointer.is_volatile) throw Unsupported{"a volatile write"};
  note_elements(pointer);
  if (pointer.where == Pointer::Where::descriptor) throw Unsupported{"a store to a descriptor"};
  if (pointer.where == Pointer::Where::vertex_output) return store_vertices(pointer, value);
  if (pointer.where == Pointer::Where::mesh_output) return store_mesh_output(pointer, value);
  if (pointer.where == Pointer::Where::shared) return store_shared(pointer, value);
  if (pointer.where == Pointer::Where::vertex_input) throw Unsupported{"a store to an input"};
  if (pointer.where == Pointer::Where::invocation)
    return store_steps(pointer, 0, pointer.leaf, terms_.boolean(true), value);
  std::size_t leaf = 0;
  for_each_scalar(pointer, pointer.type, pointer.offset, [&](Sort, Term offset) {
    effect("store", {pointer.root, offset, value.leaves.at(leaf++)}, pointer.order());
  });
}

// Inside of a loop whose trip count is not known one invocation reads many places; they count as one, under
// the condition of getting to the loop. None if it is no access that need not be there.
std::optional<Term> Machine::note_access(const Pointer& pointer) {
  note_elements(pointer);
  if (pointer.root == kNoTerm) return std::nullopt;
  if (pointer.part != kNoTerm) note(place_at(pointer, "part", pointer.part), condition_);
  const auto indices = terms_.children(pointer.root);
  const bool chosen = std::ranges::any_of(indices, [&](Term index) { return !terms_.is_constant(index); });
  if (!chosen && pointer.element == kNoTerm) return std::nullopt;
  const Term place = place_at(pointer, "element", pointer.element);
  note(place, condition_);
  return place;
}

// `offset`: in bytes; kNoTerm: the descriptor itself.
Term Machine::place_at(const Pointer& pointer, const std::string& kind, Term offset) {
  if (summarizing_ != 0) {
    const bool is_non_uniform = terms_.is(pointer.root, "non-uniform");
    const Term resource = is_non_uniform ? terms_.children(pointer.root)[0] : pointer.root;
    std::vector<std::uint64_t> which(terms_.literals(resource).begin(), terms_.literals(resource).end());
    which.push_back(is_non_uniform ? 1 : 0);
    const Term root = terms_.apply(Sort::handle, terms_.text(terms_[resource].name), std::span<const Term>(), which);
    return terms_.apply(Sort::handle, kind + " in a loop", {&root, 1});
  }
  std::vector<Term> parts = {pointer.root};
  if (offset != kNoTerm) parts.push_back(offset);
  return terms_.apply(Sort::handle, kind, parts);
}

// An index is inside of as many elements, whichever array has them; 0: of an array without an end. Likewise inside of a
// loop. Of vertices there are as many for every variable.
void Machine::note_elements(const Pointer& pointer) {
  const bool is_at_vertex =
      pointer.where == Pointer::Where::vertex_input || pointer.where == Pointer::Where::vertex_output;
  if (is_at_vertex && pointer.vertex != kNoTerm && !terms_.is_constant(pointer.vertex) &&
      pointer.vertex != patch_invocation())
    note_element(pointer.vertex, kVertices + static_cast<std::uint64_t>(stage_));
  for (const Pointer::Step& step : pointer.steps) note_element(step.index, step.count);
}

void Machine::note_element(Term index, std::uint64_t count) {
  if (summarizing_ != 0)
    note(terms_.apply(Sort::handle, "own element in a loop", std::span<const Term>(), {&count, 1}), condition_);
  else
    note(terms_.apply(Sort::handle, "own element", {&index, 1}, {&count, 1}), condition_);
}

// In a loop that one iteration stands for, under the condition of getting to the loop.
void Machine::note(Term place, Term condition) {
  if (summarizing_ != 0) condition = loop_condition_;
  const auto [known, is_new] = accesses_.emplace(place, condition);
  if (!is_new) known->second = terms_.logical_or(known->second, condition);
}

// Code that nothing may reach ends here: only where the original's does.
void Machine::note_unreachable(Term condition) {
  if (summarizing_ != 0 && !terms_.is_false(condition)) throw Unsupported{"code in a loop that nothing may reach"};
  const std::uint64_t stage = static_cast<std::uint64_t>(stage_);
  const Term place = terms_.apply(Sort::handle, "unreachable code", std::span<const Term>(), {&stage, 1});
  note(place, condition);
}

// Something that the world outside notices, after all that came before it.
void Machine::effect(const std::string& name, std::vector<Term> parts, std::span<const std::uint64_t> literals) {
  parts.insert(parts.begin(), {state_.leaves[kMemoryLeaf], state_.leaves[kDemotedLeaf]});
  state_.leaves[kMemoryLeaf] = terms_.apply_varying(Sort::memory, name, parts, literals, false);
}

}  // namespace varylink::prove
