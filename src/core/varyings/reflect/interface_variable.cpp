#include "varyings/reflect/interface_variable.h"

#include <algorithm>
#include <set>

#include "base/seeded_fault.h"
#include "spirv/ir/name_index.h"
#include "spirv/ir/operations.h"
#include "varyings/reflect/decoration_index.h"
#include "varyings/reflect/interpolation_qualifiers.h"

namespace varylink::varyings {
namespace {

using spirv::Id;
using spirv::Module;

// Keeps hostile modules from filling memory.
constexpr std::uint32_t kMaxLeaves = 4096;
constexpr int kMaxTypeDepth = 64;
constexpr std::uint32_t kMaxSteps = 1u << 16;  // types visited, for arrays of arrays of nothing

Id word(const Module& module, Id value, std::uint32_t position) {
  const spirv::InstRef def = module.def(value);
  if (!def) return 0;
  const auto operands = module.operands(def);
  return position < operands.size() ? operands[position].word : 0;
}

bool is_array(const Module& module, Id type) {
  const spv::Op op = module.def_op(type);
  return op == spv::Op::OpTypeArray || op == spv::Op::OpTypeRuntimeArray;
}

// The type below all array levels.
Id without_arrays(const Module& module, Id type) {
  for (int depth = 0; is_array(module, type) && depth < kMaxTypeDepth; ++depth) type = word(module, type, 0);
  return type;
}

std::string name_of_stage(Stage stage) { return std::string(short_name(stage)); }

// Flattens one variable. State hands the decorations of the variable down to its leaves.
class Flattener {
 public:
  Flattener(const Module& module, const DecorationIndex& decorations, const spirv::NameIndex& names, const Entry& entry,
            InterfaceVariable& variable)
      : module_(module), decorations_(decorations), names_(names), entry_(entry), variable_(variable) {}

  void run();

 private:
  struct State {
    Leaf leaf;  // everything but slot, type and count
    std::uint32_t component = 0;
    std::uint32_t block = 0;  // number of the block in an array of blocks
    int depth = 0;
  };

  void decorate(State& state, DecorationList list);
  bool members_have(Id structure, spv::Decoration decoration) const;
  bool is_per_vertex_arrayed(DecorationList list) const;
  void flatten(Id type, State state);
  void flatten_vector(Id type, State& state, std::uint32_t count);
  void flatten_elements(Id element, State& state, std::uint32_t length);
  void flatten_element(Id element, State state, std::uint32_t number);
  void flatten_array(Id type, State& state);
  bool is_array_of_blocks(Id type) const;
  void flatten_struct(Id type, State& state);
  void finish();
  void refuse(std::string why) {
    if (!variable_.unsupported) variable_.unsupported = std::move(why);
  }

  const Module& module_;
  const DecorationIndex& decorations_;
  const spirv::NameIndex& names_;
  const Entry& entry_;
  InterfaceVariable& variable_;
  std::uint32_t next_location_ = 0;
  std::uint32_t next_xfb_offset_ = 0;
  std::uint32_t steps_ = 0;
  bool has_location_ = false;
  bool explicit_xfb_offset_ = false;
};

// Decorations of a variable or a member hold for everything below it; a member's own Location, Component and Offset
// replace those that it would get from its place.
void Flattener::decorate(State& state, DecorationList list) {
  Leaf& leaf = state.leaf;
  for (const auto& [decoration, literal] : list.list) {
    if (bool* const flag = interpolation_flag(leaf.interpolation, decoration)) *flag = true;
    switch (decoration) {
      case spv::Decoration::Patch: leaf.patch = true; break;
      case spv::Decoration::PerPrimitiveEXT: leaf.per_primitive = true; break;
      case spv::Decoration::RelaxedPrecision: leaf.relaxed_precision = true; break;
      case spv::Decoration::Invariant: leaf.invariant = true; break;
      case spv::Decoration::Stream: leaf.stream = literal; break;
      case spv::Decoration::XfbBuffer: leaf.xfb.buffer = literal; break;
      case spv::Decoration::XfbStride: leaf.xfb.stride = literal; break;
      case spv::Decoration::Component: state.component = literal; break;
      case spv::Decoration::Offset:
        leaf.captured = entry_.captures && variable_.direction == Direction::output;
        next_xfb_offset_ = literal;
        explicit_xfb_offset_ = true;
        break;
      case spv::Decoration::Location:
        next_location_ = literal;
        has_location_ = true;
        break;
      default: break;
    }
  }
}

bool Flattener::members_have(Id structure, spv::Decoration decoration) const {
  if (module_.def_op(structure) != spv::Op::OpTypeStruct) return false;
  const auto count = static_cast<std::uint32_t>(module_.operands(module_.def(structure)).size());
  for (std::uint32_t member = 0; member < count; ++member)
    if (decorations_.of_member(structure, member).has(decoration)) return true;
  return false;
}

// Rule: which interfaces carry one array level per vertex (or per primitive). `Patch` may stand on the variable
// or on the members of its block; patch data have no such level.
bool Flattener::is_per_vertex_arrayed(DecorationList list) const {
  const Id inner = without_arrays(module_, variable_.type);
  const auto decorated = [&](spv::Decoration d) { return list.has(d) || members_have(inner, d); };
  const bool input = variable_.direction == Direction::input;
  switch (entry_.stage) {
    case Stage::tess_control: return !decorated(spv::Decoration::Patch);
    case Stage::tess_eval: return input && !decorated(spv::Decoration::Patch);
    case Stage::geometry: return input;
    case Stage::mesh: return !input;
    case Stage::fragment: return input && decorated(spv::Decoration::PerVertexKHR);
    default: return false;
  }
}

void Flattener::run() {
  const DecorationList list = decorations_.of(variable_.id);
  variable_.name = names_.of(variable_.id);
  variable_.element_type = variable_.type;
  variable_.arrayed = is_per_vertex_arrayed(list);
  if (variable_.arrayed && !is_array(module_, variable_.type)) {
    variable_.arrayed = false;
    refuse("is not an array although the " + name_of_stage(entry_.stage) + " stage has one element per vertex here");
  } else if (variable_.arrayed) {
    variable_.element_type = word(module_, variable_.type, 0);
  }
  State state;
  state.leaf.name = variable_.name;
  if (variable_.name.empty()) state.leaf.name = names_.of(without_arrays(module_, variable_.type));
  decorate(state, list);
  flatten(variable_.element_type, state);
  if (variable_.arrayed && !array_length(module_, variable_.type))
    refuse("is an array whose size depends on a specialization constant");
  finish();
}

void Flattener::flatten(Id type, State state) {
  if (variable_.unsupported) return;
  if (++steps_ > kMaxSteps || ++state.depth > kMaxTypeDepth)
    return refuse("has a type that is too large or nested too deeply");
  switch (spirv::type_kind(module_, type)) {
    case spirv::TypeKind::integer:
    case spirv::TypeKind::floating:
    case spirv::TypeKind::boolean: return flatten_vector(type, state, 1);
    case spirv::TypeKind::vector: return flatten_vector(type, state, word(module_, type, 1));
    case spirv::TypeKind::matrix: return flatten_elements(word(module_, type, 0), state, word(module_, type, 1));
    case spirv::TypeKind::array: return flatten_array(type, state);
    case spirv::TypeKind::structure: return flatten_struct(type, state);
    default: return refuse("has a type that cannot cross a stage interface");
  }
}

void Flattener::flatten_vector(Id type, State& state, std::uint32_t count) {
  const auto scalar = scalar_type_of(module_, type);
  if (!scalar || count == 0 || count > 4) return refuse("has a vector type that cannot cross a stage interface");
  if (!has_location_) return refuse("has no Location");
  if (next_location_ > kMaxLocation || variable_.leaves.size() >= kMaxLeaves || state.component > 3)
    return refuse("takes too many locations");
  Leaf& leaf = state.leaf;
  leaf.scalar = *scalar;
  leaf.type = type;
  leaf.count = count;
  leaf.slot = {next_location_, state.component};
  const std::uint32_t bytes = scalar->width / 8;
  // Only what follows is aligned; an Offset counts as it is written, right or wrong.
  if (bytes == 8 && !explicit_xfb_offset_) next_xfb_offset_ = (next_xfb_offset_ + 7) & ~7u;
  explicit_xfb_offset_ = false;
  leaf.xfb.offset = next_xfb_offset_;
  if (!seeded_fault("captured-blocks-share-a-buffer")) leaf.xfb.buffer += state.block;
  next_xfb_offset_ += bytes * count;
  // Three and four 64-bit components take two locations (Vulkan, "Location Assignment").
  next_location_ += scalar->width == 64 && count > 2 ? 2 : 1;
  variable_.leaves.push_back(leaf);
}

void Flattener::flatten_elements(Id element, State& state, std::uint32_t length) {
  if (length > kMaxLeaves) return refuse("takes too many locations");
  for (std::uint32_t i = 0; i < length && !variable_.unsupported; ++i) flatten_element(element, state, i);
}

void Flattener::flatten_element(Id element, State state, std::uint32_t number) {
  state.leaf.path.push_back(number);
  if (!state.leaf.name.empty()) state.leaf.name += "[" + std::to_string(number) + "]";
  flatten(element, std::move(state));
}

bool Flattener::is_array_of_blocks(Id type) const {
  return is_array(module_, type) && decorations_.of(without_arrays(module_, type)).has(spv::Decoration::Block);
}

// The blocks of an array of blocks are captured by one buffer each, all at the same offsets (rule ).
void Flattener::flatten_array(Id type, State& state) {
  const auto length = array_length(module_, type);
  if (!length) return refuse("is an array whose size depends on a specialization constant");
  const Id element = word(module_, type, 0);
  if (!is_array_of_blocks(type)) return flatten_elements(element, state, *length);
  if (*length > kMaxLeaves) return refuse("takes too many locations");
  const std::uint32_t first_offset = next_xfb_offset_;
  state.block *= *length;
  for (std::uint32_t i = 0; i < *length && !variable_.unsupported; ++i) {
    next_xfb_offset_ = first_offset;
    flatten_element(element, state, i);
    ++state.block;
  }
}

void Flattener::flatten_struct(Id type, State& state) {
  const auto count = static_cast<std::uint32_t>(module_.operands(module_.def(type)).size());
  for (std::uint32_t member = 0; member < count && !variable_.unsupported; ++member) {
    State inner = state;
    inner.component = 0;
    inner.leaf.path.push_back(member);
    const std::string name = names_.of_member(type, member);
    if (!name.empty())
      inner.leaf.name += (inner.leaf.name.empty() ? "" : ".") + name;
    else if (!inner.leaf.name.empty())
      inner.leaf.name += "._" + std::to_string(member);
    decorate(inner, decorations_.of_member(type, member));
    flatten(word(module_, type, member), std::move(inner));
  }
}

void Flattener::finish() {
  if (variable_.leaves.empty()) {
    variable_.location = next_location_;
    return;
  }
  std::uint32_t lowest = kMaxLocation, highest = 0;
  for (const Leaf& leaf : variable_.leaves) {
    lowest = std::min(lowest, leaf.slot.location);
    highest = std::max(highest, leaf.slot_of(leaf.count - 1).location);
  }
  variable_.location = lowest;
  variable_.location_count = highest - lowest + 1;
}

bool is_built_in(const Module& module, const DecorationIndex& decorations, const InterfaceVariable& variable) {
  if (decorations.of(variable.id).has(spv::Decoration::BuiltIn)) return true;
  const Id inner = without_arrays(module, variable.type);
  if (module.def_op(inner) != spv::Op::OpTypeStruct) return false;
  const auto count = static_cast<std::uint32_t>(module.operands(module.def(inner)).size());
  for (std::uint32_t member = 0; member < count; ++member)
    if (decorations.of_member(inner, member).has(spv::Decoration::BuiltIn)) return true;
  return false;
}

// A variable of unknown size may reach up to the next declared location.
void reserve_unknown_sizes(std::vector<InterfaceVariable>& variables) {
  for (InterfaceVariable& variable : variables) {
    if (!variable.unsupported) continue;
    std::uint32_t next = kMaxLocation;
    for (const InterfaceVariable& other : variables)
      if (other.location > variable.location) next = std::min(next, other.location);
    variable.location_count = std::max(variable.location_count, next == kMaxLocation ? 1 : next - variable.location);
  }
}

bool has_xfb_mode(const Module& module, Id function) {
  return std::any_of(module.execution_modes.begin(), module.execution_modes.end(), [&](spirv::InstRef inst) {
    const auto operands = module.operands(inst);
    return operands.size() >= 2 && operands[0].word == function &&
           operands[1].word == static_cast<std::uint32_t>(spv::ExecutionMode::Xfb);
  });
}

}  // namespace

Slot Leaf::slot_of(std::uint32_t index) const {
  const std::uint32_t component = slot.component + index * slots_per_component();
  return {slot.location + component / 4, component % 4};
}

Result<Entry> find_entry(const Module& module, Stage stage, const std::string& name, const FileRef& file) {
  std::optional<Entry> found;
  const std::string of_stage = name_of_stage(stage) + " stage";
  for (const spirv::EntryPoint& candidate : module.entries()) {
    if (stage_from_execution_model(static_cast<std::uint32_t>(candidate.model)) != stage) continue;
    if (!name.empty() && candidate.name != name) continue;
    if (found)
      return make_error(ErrorKind::usage, file,
                        "there are several entry points of the " + of_stage + ": name one of '" + found->name + "', '" +
                            candidate.name + "'");
    found = Entry{stage,          candidate.inst,      candidate.function,
                  candidate.name, candidate.interface, has_xfb_mode(module, candidate.function)};
  }
  if (found) return *found;
  std::string message = "there is no entry point of the " + of_stage;
  if (!name.empty()) message += " called '" + name + "'";
  return make_error(ErrorKind::usage, file, std::move(message));
}

std::vector<InterfaceVariable> interface_variables(const Module& module, const Entry& entry, Direction direction) {
  return interface_variables(module, entry, direction, DecorationIndex(module));
}

std::vector<InterfaceVariable> interface_variables(const Module& module, const Entry& entry, Direction direction,
                                                   const DecorationIndex& decorations) {
  const spv::StorageClass wanted = storage_class_of(direction);
  const spirv::NameIndex names(module);
  std::vector<InterfaceVariable> variables;
  std::set<Id> seen;
  for (const Id id : entry.interface) {
    // SPIR-V before 1.4 tolerates an id twice in the list.
    if (module.def_op(id) != spv::Op::OpVariable || !seen.insert(id).second) continue;
    if (word(module, id, 0) != static_cast<std::uint32_t>(wanted)) continue;
    InterfaceVariable variable;
    variable.id = id;
    variable.direction = direction;
    variable.type = word(module, module.type_of(id), 1);
    if (is_built_in(module, decorations, variable)) continue;
    Flattener(module, decorations, names, entry, variable).run();
    variables.push_back(std::move(variable));
  }
  reserve_unknown_sizes(variables);
  return variables;
}

}  // namespace varylink::varyings
