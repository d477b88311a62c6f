#include "spirv/ir/memory_reads.h"

#include <algorithm>

#include "base/seeded_fault.h"
#include "spirv/ir/cfg.h"
#include "spirv/ir/globals.h"
#include "spirv/ir/operations.h"
#include "spirv/ir/pointer_path.h"

namespace varylink::spirv {
namespace {

using spv::Decoration;
using spv::Op;
using spv::StorageClass;

// Reads with one of these see what others write.
constexpr std::uint32_t kChanges = static_cast<std::uint32_t>(spv::MemoryAccessMask::Volatile) |
                                   static_cast<std::uint32_t>(spv::MemoryAccessMask::MakePointerVisible) |
                                   static_cast<std::uint32_t>(spv::MemoryAccessMask::NonPrivatePointer);

bool is_array(Op op) { return op == Op::OpTypeArray || op == Op::OpTypeRuntimeArray; }

bool is_buffer(StorageClass storage) {
  return storage == StorageClass::Uniform || storage == StorageClass::StorageBuffer;
}

bool is_storage_image(const Module& module, Id type) {
  constexpr std::uint32_t kSampled = 5;  // operand of OpTypeImage
  return module.def_op(type) == Op::OpTypeImage && module.operand(module.def(type), kSampled).word != 1;
}

}  // namespace

MemoryReads::MemoryReads(const Module& module) : module_(module), layout_(module) {
  has_qualifiers_ = std::any_of(module.annotations.begin(), module.annotations.end(), [&](InstRef inst) {
    const bool on_member = module[inst].op == Op::OpMemberDecorate;
    switch (static_cast<Decoration>(module.operand(inst, on_member ? 2 : 1).word)) {
      case Decoration::NonWritable:
      case Decoration::Volatile:
      case Decoration::Coherent: return true;
      default: return false;
    }
  });
  if (has_qualifiers_) find_writable_bindings();
  if (module.has_capability(spv::Capability::DemoteToHelperInvocation)) find_helper_invocations();
}

void MemoryReads::find_writable_bindings() {
  for (const InstRef variable : module_.types) {
    if (module_[variable].op != Op::OpVariable) continue;
    const Id id = module_[variable].result;
    const std::optional<Binding> binding = binding_of(id);
    if (binding && !qualifiers_of(id, variable).not_writable) writable_bindings_.emplace(*binding, id);
  }
}

InstRef MemoryReads::variable_of(Id pointer) const {
  const InstRef def = module_.def(root_of(module_, pointer));
  return def && module_[def].op == Op::OpVariable ? def : InstRef{};
}

bool MemoryReads::is_decorated(Id target, Decoration decoration) const {
  return layout_.decoration(target, decoration).has_value();
}

std::optional<MemoryReads::Binding> MemoryReads::binding_of(Id variable) const {
  const auto binding = layout_.decoration(variable, Decoration::Binding);
  if (!binding) return std::nullopt;
  return Binding{layout_.decoration(variable, Decoration::DescriptorSet), *binding};
}

// What a variable is declared as, without a level of arrays.
Id MemoryReads::block_of(InstRef variable) const {
  const Id type = pointee_type(module_, module_[variable].type);
  return is_array(module_.def_op(type)) ? element_type(module_, type) : type;
}

// Without `member` what is said of any member that may be read.
void MemoryReads::add_members(Id structure, std::optional<std::uint32_t> member, Qualifiers& qualifiers) const {
  const auto any = [&](Decoration decoration) {
    return member ? layout_.is_member_decorated(structure, *member, decoration)
                  : layout_.is_any_member_decorated(structure, decoration);
  };
  qualifiers.is_volatile = qualifiers.is_volatile || any(Decoration::Volatile);
  qualifiers.coherent = qualifiers.coherent || any(Decoration::Coherent);
  bool all = member && any(Decoration::NonWritable);
  if (!member) {
    const std::uint32_t count = element_count(module_, structure);
    all = count > 0;
    for (std::uint32_t i = 0; i < count; ++i)
      all = all && layout_.is_member_decorated(structure, i, Decoration::NonWritable);
  }
  qualifiers.not_writable = qualifiers.not_writable || all;
}

MemoryReads::Qualifiers MemoryReads::qualifiers_of(Id pointer, InstRef variable) const {
  const Id id = module_[variable].result;
  Qualifiers qualifiers;
  if (!has_qualifiers_) return qualifiers;
  qualifiers.not_writable = is_decorated(id, Decoration::NonWritable);
  qualifiers.is_volatile = is_decorated(id, Decoration::Volatile);
  qualifiers.coherent = is_decorated(id, Decoration::Coherent);
  Id type = pointee_type(module_, module_[variable].type);
  for (const Id index : access_path(module_, pointer).indices) {
    const bool is_struct = module_.def_op(type) == Op::OpTypeStruct;
    const std::uint32_t member = is_struct ? constant_index(module_, index).value_or(0) : 0;
    if (is_struct) add_members(type, member, qualifiers);
    type = element_type(module_, type, member);
  }
  while (is_array(module_.def_op(type))) type = element_type(module_, type);
  if (module_.def_op(type) == Op::OpTypeStruct) add_members(type, std::nullopt, qualifiers);
  if (seeded_fault("volatile-declarations-are-plain")) qualifiers.is_volatile = false;
  return qualifiers;
}

bool MemoryReads::is_aliased(InstRef variable) const {
  const Id id = module_[variable].result;
  if (is_decorated(id, Decoration::Aliased)) return true;
  const std::optional<Binding> binding = binding_of(id);
  if (!binding) return false;
  const auto [first, last] = writable_bindings_.equal_range(*binding);
  return std::any_of(first, last, [&](const auto& other) { return other.second != id; });
}

void MemoryReads::find_helper_invocations() {
  for (const InstRef inst : module_.annotations)
    if (module_[inst].op == Op::OpDecorate &&
        module_.operand(inst, 1).word == static_cast<std::uint32_t>(Decoration::BuiltIn) &&
        module_.operand(inst, 2).word == static_cast<std::uint32_t>(spv::BuiltIn::HelperInvocation))
      helper_invocations_.insert(module_.operand(inst, 0).word);
}

bool MemoryReads::is_declared_volatile(Id pointer) const {
  const InstRef variable = variable_of(pointer);
  return variable && qualifiers_of(pointer, variable).is_volatile;
}

// Rules and, for what the decorations say, R-2.2.
bool MemoryReads::is_constant(InstRef load) const {
  if (module_[load].op != Op::OpLoad) return false;
  if (module_.operands(load).size() > 1 && (module_.operand(load, 1).word & kChanges) != 0) return false;
  const Id pointer = module_.operand(load, 0).word;
  const InstRef variable = variable_of(pointer);
  if (!variable) return false;
  const Qualifiers qualifiers = qualifiers_of(pointer, variable);
  if (qualifiers.is_volatile || qualifiers.coherent) return false;
  switch (static_cast<StorageClass>(module_.operand(variable, 0).word)) {
    case StorageClass::Input:
      return helper_invocations_.count(module_[variable].result) == 0 || seeded_fault("helpers-are-constant");
    case StorageClass::PushConstant: return true;
    case StorageClass::UniformConstant:
      return !is_storage_image(module_, block_of(variable)) || qualifiers.not_writable;
    case StorageClass::Uniform:
      // A structure decorated BufferBlock is a storage buffer of old modules, which shaders may write.
      if (!is_decorated(block_of(variable), Decoration::BufferBlock) || seeded_fault("buffer-blocks-are-uniform"))
        return true;
      break;
    default: break;
  }
  return qualifiers.not_writable && !is_aliased(variable);
}

// ---- what runs for certain

DereferenceableRanges::DereferenceableRanges(const Module& module, const Function& function, Until until)
    : module_(module), function_(function), reads_(module) {
  find_certain_blocks(until);
}

// The blocks that every way to an end goes through: dominators of all of these.
void DereferenceableRanges::find_certain_blocks(Until until) {
  const Cfg cfg(module_, function_);
  const auto ends_here = [&](InstRef inst) {
    const Op op = module_[inst].op;
    return until == Until::emit ? op == Op::OpEmitVertex || op == Op::OpEmitStreamVertex : is_end(op);
  };
  std::uint32_t common = Cfg::kNone;
  for (const std::uint32_t block : cfg.reverse_post_order())
    if (std::any_of(function_.blocks[block].body.begin(), function_.blocks[block].body.end(), ends_here))
      common = common == Cfg::kNone ? block : cfg.common_dominator(common, block);
  for (; common != Cfg::kNone; common = cfg.immediate_dominator(common))
    for (const InstRef inst : function_.blocks[common].body)
      if (module_[inst].op == Op::OpLoad) certain_.insert(inst);
}

bool DereferenceableRanges::is_certain(InstRef inst) { return certain_.count(inst) != 0; }

std::optional<BlockLayout::Cursor> DereferenceableRanges::walk(BlockLayout::Cursor from,
                                                               const std::vector<std::uint32_t>& path) const {
  std::optional<BlockLayout::Cursor> at = from;
  for (const std::uint32_t index : path)
    if (at) at = reads_.layout().step(*at, index);
  return at;
}

// Where the load reads. An index that is not constant counts as `least_index`; without one such a load has no place.
std::optional<DereferenceableRanges::Place> DereferenceableRanges::place_of(
    InstRef load, std::optional<std::uint32_t> least_index) const {
  const Id pointer = module_.operand(load, 0).word;
  const InstRef variable = reads_.variable_of(pointer);
  if (!variable) return std::nullopt;
  const std::vector<Id> indices = access_path(module_, pointer).indices;
  std::vector<std::uint32_t> path;
  for (const Id index : indices) {
    auto number = constant_index(module_, index);
    if (!number) number = least_index;
    if (!number) return std::nullopt;
    path.push_back(*number);
  }
  Place place;
  place.variable = module_[variable].result;
  place.storage = static_cast<StorageClass>(module_.operand(variable, 0).word);
  Id type = pointee_type(module_, module_[variable].type);
  if (!is_buffer(place.storage)) return has_part(module_, type, path) ? std::optional(place) : std::nullopt;
  if (is_array(module_.def_op(type))) {
    const bool has_element =
        !path.empty() && constant_index(module_, indices.front()) && path.front() < element_count(module_, type);
    if (!has_element) return std::nullopt;
    place.descriptor = path.front();
    path.erase(path.begin());
    type = element_type(module_, type);
  }
  const auto part = walk({type, 0, 0, false}, path);
  if (part) place.end = reads_.layout().end_of(*part);
  return place.end ? std::optional(place) : std::nullopt;
}

const std::map<DereferenceableRanges::Buffer, std::uint64_t>& DereferenceableRanges::ends() {
  if (certain_ends_) return *certain_ends_;
  certain_ends_.emplace();
  for (const InstRef load : certain_) {
    // Any element of an array is at least as far from the start as its first one.
    const auto place = place_of(load, 0);
    if (!place || !place->end) continue;
    std::uint64_t& end = (*certain_ends_)[{place->variable, place->descriptor}];
    end = std::max(end, *place->end);
  }
  return *certain_ends_;
}

// Rule.
bool DereferenceableRanges::is_safe_to_speculate(InstRef load) {
  if (!reads_.is_constant(load)) return false;
  if (is_certain(load)) return true;
  const auto place = place_of(load, std::nullopt);
  if (!place) return false;
  switch (place->storage) {
    case StorageClass::Input:
    case StorageClass::PushConstant:
    case StorageClass::Private: return true;
    case StorageClass::Uniform:
    case StorageClass::StorageBuffer: break;
    default: return false;
  }
  const auto known = ends().find({place->variable, place->descriptor});
  return known != ends().end() && *place->end <= known->second;
}

}  // namespace varylink::spirv
