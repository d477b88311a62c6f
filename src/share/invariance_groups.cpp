#include "share/invariance_groups.h"

#include <algorithm>

#include "inspect/position_code.h"

namespace varylink::share {
namespace {

using Kind = InvarianceVerdict::Kind;

// The vertex stage, if it feeds the rasterizer: with tessellation or geometry behind it, positions come from more than
// one shader.
const link::StageInput* last_stage(const link::PipelineInput& input) {
  const link::StageInput* vertex = nullptr;
  for (const link::StageInput& stage : input.stages) {
    if (stage.stage == Stage::vertex) vertex = &stage;
    if (stage.stage != Stage::vertex && stage.stage != Stage::fragment) return nullptr;
  }
  return vertex;
}

// The same stage with the words that linking gave.
link::StageInput after(const link::StageInput& stage, const link::LinkedPipeline& linked) {
  link::StageInput result = stage;
  for (const link::StageOutput& output : linked.stages)
    if (output.stage == stage.stage) result.words = output.words;
  return result;
}

struct Code {
  const InvarianceMember* member;
  std::string before, after;
};

}  // namespace

InvarianceVerdict compare_positions(const std::vector<InvarianceMember>& members,
                                    const spirv::ValidatorOptions& validator) {
  std::vector<Code> codes;
  for (const InvarianceMember& member : members) {
    if (member.linked->stages.empty()) continue;
    const link::StageInput* stage = last_stage(*member.input);
    if (!stage)
      return {Kind::unknown,
              "only vertex shaders can be compared, and '" + member.name + "' has other stages behind it"};
    const Result<std::string> before = inspect::position_code(*stage, validator);
    if (!before) return {Kind::unknown, before.error().file + ": " + before.error().message};
    const Result<std::string> linked = inspect::position_code(after(*stage, *member.linked), validator);
    if (!linked) return {Kind::unknown, linked.error().file + ": " + linked.error().message};
    codes.push_back({&member, *before, *linked});
  }
  for (const Code& code : codes)
    if (code.before != codes.front().before)
      return {Kind::unknown, "the shaders of '" + codes.front().member->name + "' and '" + code.member->name +
                                 "' compute positions in different ways before linking"};
  for (const Code& code : codes)
    if (code.after != codes.front().after)
      return {Kind::changed, "linking changed the position code of '" + codes.front().member->name + "' and '" +
                                 code.member->name + "' in different ways"};
  return {};
}

}  // namespace varylink::share
