#include "support/positions.h"

#include <algorithm>
#include <regex>

#include "share/position_code.h"

namespace varylink::test {

bool has_moved_positions(const link::PipelineInput& pipeline, const link::LinkedPipeline& linked,
                         const spirv::ValidatorOptions& validator) {
  const auto is_vertex = [](const auto& stage) { return stage.stage == Stage::vertex; };
  const auto before = std::find_if(pipeline.stages.begin(), pipeline.stages.end(), is_vertex);
  const auto after = std::find_if(linked.stages.begin(), linked.stages.end(), is_vertex);
  if (before == pipeline.stages.end() || after == linked.stages.end()) return false;
  link::StageInput result = *before;
  result.words = after->words;
  result.read = nullptr;
  const Result<std::string> original = share::position_code(*before, validator),
                            code = share::position_code(result, validator);
  if (!original || !code) return false;
  static const std::regex varying(" 3( @[0-9]+)* @30 ");  // a variable of class Output with a Location
  return !std::regex_search(*original, varying) && *original != *code;
}

}  // namespace varylink::test
