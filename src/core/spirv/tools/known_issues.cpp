#include "spirv/tools/known_issues.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <optional>
#include <utility>

#include "spirv/ir/globals.h"
#include "spirv/ir/operations.h"

namespace varylink::spirv {
namespace {

// Far apart enough for any array, close enough that the validator's list of locations stays short.
constexpr std::uint32_t kFirstFreeLocation = 4096;
constexpr std::uint32_t kLocationsApart = 256;

bool is_array_of_arrays(const Module& module, Id type) {
  return module.def_op(type) == spv::Op::OpTypeArray &&
         module.def_op(element_type(module, type)) == spv::Op::OpTypeArray;
}

// A decoration of an id or of a member, in the same words.
struct Decorated {
  std::pair<Id, std::optional<std::uint32_t>> target;  // and its member
  spv::Decoration decoration = spv::Decoration::RelaxedPrecision;
  std::uint32_t value_at = 0;  // operand of the first literal
};

std::optional<Decorated> decorated(const Module& module, InstRef inst) {
  const auto operands = module.operands(inst);
  const bool member = module[inst].op == spv::Op::OpMemberDecorate;
  const std::uint32_t at = member ? 2 : 1;
  if ((!member && module[inst].op != spv::Op::OpDecorate) || operands.size() < at + 2) return std::nullopt;
  std::optional<std::uint32_t> number;
  if (member) number = operands[1].word;
  return Decorated{{operands[0].word, number}, static_cast<spv::Decoration>(operands[at].word), at + 1};
}

// Component on a variable whose elements are arrays, per-vertex arrays of arrays among them: refused up to 2024.3
// (KhronosGroup/SPIRV-Tools#5819). Without the decoration variables would overlap, so each gets locations of its own.
bool take_out_components_of_arrays(Module& module) {
  std::map<std::pair<Id, std::optional<std::uint32_t>>, std::uint32_t> places;
  for (const InstRef inst : module.annotations) {
    const auto found = decorated(module, inst);
    if (!found || found->decoration != spv::Decoration::Component) continue;
    const auto [id, member] = found->target;
    const Id type = member ? element_type(module, id, *member) : pointee_type(module, module.type_of(id));
    if (!is_array_of_arrays(module, type)) continue;
    places.emplace(found->target, kFirstFreeLocation + kLocationsApart * static_cast<std::uint32_t>(places.size()));
    module.kill(inst);
  }
  for (const InstRef inst : module.annotations) {
    const auto found = decorated(module, inst);
    if (!found || found->decoration != spv::Decoration::Location) continue;
    if (const auto place = places.find(found->target); place != places.end())
      module.set_operand(inst, found->value_at, lit(place->second));
  }
  module.sweep();
  return !places.empty();
}

// The locations that an input or output takes from the first one on; 1 for what has no known size.
std::uint32_t locations_of(const Module& module, Id type) {
  const std::uint32_t count = element_count(module, type);
  switch (type_kind(module, type)) {
    case TypeKind::array:
    case TypeKind::matrix: return std::max(count, 1u) * locations_of(module, element_type(module, type));
    case TypeKind::structure: {
      std::uint32_t sum = 0;
      for (std::uint32_t i = 0; i < count; ++i) sum += locations_of(module, element_type(module, type, i));
      return sum;
    }
    case TypeKind::vector: {
      const bool is_wide = module.operand(module.def(element_type(module, type)), 0).word == 64;
      return is_wide && count > 2 ? 2 : 1;
    }
    default: return 1;
  }
}

// An input or output with a location of its own.
struct Located {
  InstRef location;
  std::uint32_t storage = 0, kind = 0;  // which kind of several that do not meet: patch and not, or the stream
  std::uint32_t first = 0, end = 0;
};

std::vector<Located> located_variables(const Module& module, spv::Decoration kind, bool has_number) {
  std::map<Id, Located> found;
  std::map<Id, std::uint32_t> kinds;
  for (const InstRef inst : module.annotations) {
    if (module[inst].op != spv::Op::OpDecorate) continue;
    const auto operands = module.operands(inst);
    const Id id = operands[0].word;
    const auto decoration = static_cast<spv::Decoration>(operands[1].word);
    if (decoration == kind) kinds[id] = has_number ? operands[2].word : 1;
    if (decoration != spv::Decoration::Location || module.def_op(id) != spv::Op::OpVariable) continue;
    const Id type = pointee_type(module, module.type_of(id));
    found[id] = {inst, module.operand(module.def(id), 0).word, 0, operands[2].word,
                 operands[2].word + locations_of(module, type)};
  }
  std::vector<Located> list;
  for (auto& [id, each] : found) {
    if (const auto own = kinds.find(id); own != kinds.end()) each.kind = own->second;
    list.push_back(each);
  }
  return list;
}

// Variables of different kinds keep to themselves, so that they may have the same locations: those of all kinds but the
// first move, each kind as a whole, so that what conflicts within a kind goes on to do so.
bool take_kinds_apart(Module& module, spv::Decoration kind, bool has_number) {
  constexpr std::uint32_t kApart = 1024;  // the validator looks at the first 4096 locations
  const std::vector<Located> all = located_variables(module, kind, has_number);
  const auto meet = [](const Located& a, const Located& b) {
    return a.storage == b.storage && a.kind != b.kind && a.first < b.end && b.first < a.end;
  };
  const bool any = std::any_of(all.begin(), all.end(), [&](const Located& a) {
    return std::any_of(all.begin(), all.end(), [&](const Located& b) { return meet(a, b); });
  });
  if (!any) return false;
  for (const Located& each : all)
    if (each.kind < 4 && each.first < kApart)
      module.set_operand(each.location, 2, lit(each.first + each.kind * kApart));
  return true;
}

// Refused up to 2024.2 (KhronosGroup/SPIRV-Tools#5654).
bool take_patches_apart(Module& module) { return take_kinds_apart(module, spv::Decoration::Patch, false); }

// Refused up to 2026.1 (KhronosGroup/SPIRV-Tools#6630).
bool take_streams_apart(Module& module) {
  return module.has_capability(spv::Capability::GeometryStreams) &&
         take_kinds_apart(module, spv::Decoration::Stream, true);
}

constexpr std::string_view kConflict = "location assignment at location";

constexpr std::array kIssues = {
    KnownIssue{"VUID-StandaloneSpirv-Component-04924", "2024.4", "Component on an array of arrays",
               take_out_components_of_arrays},
    KnownIssue{"", "2024.3", "patch and per-vertex variables at one location", take_patches_apart, kConflict},
    KnownIssue{"", "2026.2", "outputs of several streams at one location", take_streams_apart, kConflict},
};

// "v2023.1-dev" -> 2023, 1.
std::optional<std::pair<int, int>> version_of(std::string_view text) {
  if (text.starts_with('v')) text.remove_prefix(1);
  int year = 0, number = 0;
  const char* end = text.data() + text.size();
  const auto [dot, bad_year] = std::from_chars(text.data(), end, year);
  if (bad_year != std::errc() || dot == end || *dot != '.') return std::nullopt;
  const auto [rest, bad_number] = std::from_chars(dot + 1, end, number);
  if (bad_number != std::errc()) return std::nullopt;
  return std::pair(year, number);
}

}  // namespace

std::span<const KnownIssue> known_issues() { return kIssues; }

bool has_issue(std::string_view tools_version, const KnownIssue& issue) {
  const auto version = version_of(tools_version);
  return version && *version < *version_of(issue.fixed_in);
}

}  // namespace varylink::spirv
