#include "frontend/varying_facts.h"

#include <algorithm>

#include "spirv/ir/globals.h"
#include "spirv/ir/operations.h"

namespace varylink::frontend {
namespace {

// Device limits end far below (the spec's highest minimum for any interface is 128 components), and a module is not
// validated yet when it is measured: larger claims would only cost memory.
constexpr std::uint32_t kMaxLocations = 4096;

std::uint32_t clamped(std::uint64_t count) {
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(count, kMaxLocations));
}

}  // namespace

VaryingFacts::VaryingFacts(const spirv::Module& module, Stage stage) : module_(module), stage_(stage) {
  for (const spirv::InstRef inst : module.annotations) {
    const auto operands = module.operands(inst);
    const bool member = module[inst].op == spv::Op::OpMemberDecorate;
    if (!member && module[inst].op != spv::Op::OpDecorate) continue;
    const std::size_t at = member ? 2 : 1;
    if (operands.size() <= at) continue;
    const Key key{operands[0].word, member ? operands[1].word : kWhole};
    const std::uint32_t value = operands.size() > at + 1 ? operands[at + 1].word : 0;
    decorations_[key].emplace_back(static_cast<spv::Decoration>(operands[at].word), value);
  }
}

const std::uint32_t* VaryingFacts::find(spirv::Id target, std::uint32_t member, spv::Decoration decoration) const {
  const auto list = decorations_.find(Key{target, member});
  if (list == decorations_.end()) return nullptr;
  for (const auto& [kind, value] : list->second)
    if (kind == decoration) return &value;
  return nullptr;
}

bool VaryingFacts::any_member_has(spirv::Id type, spv::Decoration decoration) const {
  for (std::uint32_t i = 0; i < member_count(type); ++i)
    if (find(type, i, decoration) != nullptr) return true;
  return false;
}

spirv::Id VaryingFacts::pointee(spirv::Id variable) const {
  const spirv::InstRef pointer = module_.def(module_.type_of(variable));
  if (!pointer || module_[pointer].op != spv::Op::OpTypePointer) return 0;
  return module_.operand(pointer, 1).word;
}

spirv::Id VaryingFacts::without_arrays(spirv::Id type) const { return spirv::type_without_arrays(module_, type); }

bool VaryingFacts::is_varying(spirv::Id variable, spv::StorageClass storage) const {
  const spirv::InstRef inst = module_.def(variable);
  if (!inst || module_[inst].op != spv::Op::OpVariable || module_.operands(inst).empty()) return false;
  if (module_.operand(inst, 0).word != static_cast<std::uint32_t>(storage)) return false;
  return !has(variable, spv::Decoration::BuiltIn) &&
         !any_member_has(without_arrays(pointee(variable)), spv::Decoration::BuiltIn);
}

// Rule: these interfaces have one array level for the vertices (or primitives), which takes no locations.
bool VaryingFacts::is_arrayed(spirv::Id variable, bool is_input) const {
  if (has(variable, spv::Decoration::Patch) ||
      any_member_has(without_arrays(pointee(variable)), spv::Decoration::Patch))
    return false;
  switch (stage_) {
    case Stage::tess_control: return true;
    case Stage::tess_eval:
    case Stage::geometry: return is_input;
    case Stage::mesh: return !is_input;
    case Stage::fragment: return is_input && has(variable, spv::Decoration::PerVertexKHR);
    default: return false;
  }
}

std::uint32_t VaryingFacts::member_count(spirv::Id type) const {
  if (module_.def_op(type) != spv::Op::OpTypeStruct) return 0;
  return static_cast<std::uint32_t>(module_.operands(module_.def(type)).size());
}

std::uint32_t VaryingFacts::array_length(spirv::Id type) const {
  const spirv::InstRef length = module_.def(module_.operand(module_.def(type), 1).word);
  if (!length || module_.operands(length).empty()) return 1;
  return clamped(module_.operand(length, 0).word);
}

// Vulkan, "Location Assignment": 64-bit vectors of three and four components take two locations, everything else of
// scalar or vector type takes one; arrays, matrices and structs take the sum of their parts.
std::uint32_t VaryingFacts::locations_of(spirv::Id type) const {
  const spirv::InstRef def = module_.def(type);
  if (!def) return 1;
  switch (spirv::type_kind(module_, type)) {
    case spirv::TypeKind::vector: {
      const spirv::InstRef scalar = module_.def(module_.operand(def, 0).word);
      const bool wide = scalar && !module_.operands(scalar).empty() && module_.operand(scalar, 0).word == 64;
      return wide && module_.operand(def, 1).word > 2 ? 2 : 1;
    }
    case spirv::TypeKind::matrix:
      return clamped(std::uint64_t{module_.operand(def, 1).word} * locations_of(module_.operand(def, 0).word));
    case spirv::TypeKind::array:
      return clamped(std::uint64_t{array_length(type)} * locations_of(module_.operand(def, 0).word));
    case spirv::TypeKind::structure: {
      std::uint64_t sum = 0;
      for (const spirv::Operand& member : module_.operands(def)) sum += locations_of(member.word);
      return clamped(std::max<std::uint64_t>(sum, 1));
    }
    default: return 1;
  }
}

// Declared places: those of the members of a block if they have any, else that of the variable.
void VaryingFacts::add_places(Varying& varying, spirv::Id type) const {
  const spirv::Id block = without_arrays(type);
  for (std::uint32_t i = 0; i < member_count(block); ++i)
    if (const std::uint32_t* location = find(block, i, spv::Decoration::Location))
      varying.taken.emplace_back(*location, locations_of(module_.operand(module_.def(block), i).word));
  const std::uint32_t* location = find(varying.id, kWhole, spv::Decoration::Location);
  if (varying.taken.empty() && location != nullptr) varying.taken.emplace_back(*location, varying.count);
  for (const auto& [first, count] : varying.taken) varying.location = std::min(varying.location.value_or(first), first);
}

Varying VaryingFacts::describe(spirv::Id variable, bool is_input) const {
  spirv::Id type = pointee(variable);
  if (is_arrayed(variable, is_input) && module_.def_op(type) == spv::Op::OpTypeArray)
    type = module_.operand(module_.def(type), 0).word;
  const spirv::Id block = without_arrays(type);
  Varying varying;
  varying.id = variable;
  varying.key = has(block, spv::Decoration::Block) ? "block " + module_.name(block) : module_.name(variable);
  varying.count = locations_of(type);
  add_places(varying, type);
  return varying;
}

}  // namespace varylink::frontend
