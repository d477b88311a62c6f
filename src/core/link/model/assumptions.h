// Facts about the pipeline around it that a result relies on. In another pipeline the result may be wrong.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "link/model/pipeline_layout.h"
#include "spirv/ir/stage.h"
#include "spirv/tools/specialize.h"
#include "state/pipeline_state.h"

namespace varylink::link {

struct Assumptions {
  state::PipelineState state;  // no more of it than the result depends on
  std::optional<PipelineLayout> layout;
  // Specialization constants that are constants in the result: values given at pipeline creation do nothing any more.
  std::map<Stage, spirv::SpecializationValues> specialization;

  bool empty() const;
};

// One line, {"specialization": {"frag": {"0": "4"}}, "layout": "0.1 vert frag", "state": {...}}; equal assumptions give
// equal texts.
std::string to_json(const Assumptions& assumptions);
// SHA-256 of that, as hexadecimal digits.
std::string hash_of(const Assumptions& assumptions);

}  // namespace varylink::link
