#include "share/invariance_groups.h"

#include <algorithm>

#include "share/position_code.h"

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
  result.read = nullptr;  // the module of the other words
  for (const link::StageOutput& output : linked.stages)
    if (output.stage == stage.stage) result.words = output.words;
  return result;
}

struct Code {
  const InvarianceMember* member;
  std::string before, after;
};

// Error: why there is nothing to compare.
Result<Code> code_of(const InvarianceMember& member, const spirv::ValidatorOptions& validator,
                     spirv::ValidWords* valid_words) {
  const link::StageInput* stage = last_stage(*member.input);
  if (!stage)
    return make_error(ErrorKind::usage, {},
                      "only vertex shaders can be compared, and '" + member.name + "' has other stages behind it");
  const auto read = [&](const link::StageInput& from) {
    Result<std::string> code = share::position_code(from, validator, valid_words);
    return code ? code : make_error(code.error().kind, {}, code.error().file + ": " + code.error().message);
  };
  Result<std::string> before = read(*stage);
  if (!before) return before.error();
  Result<std::string> linked = read(after(*stage, *member.linked));
  if (!linked) return linked.error();
  return Code{&member, std::move(*before), std::move(*linked)};
}

}  // namespace

InvarianceVerdict compare_positions(const std::vector<InvarianceMember>& members,
                                    const spirv::ValidatorOptions& validator, spirv::ValidWords* valid_words) {
  std::vector<Code> codes;
  for (const InvarianceMember& member : members) {
    if (member.linked->stages.empty()) continue;
    Result<Code> code = code_of(member, validator, valid_words);
    if (!code) return {Kind::unknown, code.error().message};
    codes.push_back(std::move(*code));
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

InvarianceVerdict compare_with_original(const link::PipelineInput& input, const link::LinkedPipeline& linked,
                                        const spirv::ValidatorOptions& validator, spirv::ValidWords* valid_words) {
  const InvarianceMember member = {input.name, &input, &linked};
  const Result<Code> code = code_of(member, validator, valid_words);
  if (!code) return {Kind::unknown, code.error().message};
  if (code->before != code->after) return {Kind::changed, "linking changed the position code"};
  return {};
}

}  // namespace varylink::share
