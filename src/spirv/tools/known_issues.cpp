#include "spirv/tools/known_issues.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <optional>
#include <utility>

#include "spirv/ir/globals.h"

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

constexpr std::array kIssues = {
    KnownIssue{"VUID-StandaloneSpirv-Component-04924", "2024.4", "Component on an array of arrays",
               take_out_components_of_arrays},
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
