// An application's description of one pipeline besides its shaders: a manifest line, a file, or text for the library,
// always in this form. docs/pipeline-state.md describes it.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "link/model/pipeline_layout.h"
#include "spirv/tools/specialize.h"
#include "state/pipeline_state.h"

namespace varylink {
class StrictJson;
}

namespace varylink::link {

struct StageDescription {
  std::string file;  // as written; empty: the file is named elsewhere
  std::string entry_point;
  spirv::SpecializationValues specialization;
  std::vector<std::pair<std::string, std::string>> defines;  // macros of GLSL, sorted by name
  std::vector<std::string> include_dirs;                     // as written
};

struct PipelineDescription {
  std::map<Stage, StageDescription> stages;
  std::optional<PipelineLayout> layout;
  std::string layout_file;  // as written, instead of `layout`
  state::PipelineState state;
};

// The keys of a description; the enclosing object may have others.
const std::vector<std::string>& description_keys();
const std::vector<std::string>& stage_description_keys();

// Reads the members of an object whose keys have been checked.
PipelineDescription read_description(const StrictJson& json);

// A whole text: a description, or the value of its "state" alone. Error: usage, naming `file`, with line and column.
Result<PipelineDescription> parse_description(std::string_view text, const std::string& file);

}  // namespace varylink::link
