// Declarations towards the application that a linked pipeline no longer uses: vertex attributes, descriptor bindings
// and specialization constants. The declarations stay unless options say otherwise, so that pipelines that worked keep
// working; an application that knows can drop the vertex stream, the descriptor or the constant.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "link/model/pipeline.h"

namespace varylink::link {

struct UnusedDeclaration {
  enum class Kind : std::uint8_t { attribute, binding, spec_constant };
  Kind kind = Kind::attribute;
  std::uint32_t set = 0;        // of a binding
  std::uint32_t number = 0;     // location, binding or SpecId
  std::uint32_t locations = 1;  // that an attribute takes, such as 4 for a mat4
  std::string name;             // debug name, may be empty
  std::vector<Stage> stages;    // those that declare it and whose code does not use it, in pipeline order
  bool unused_by_all = false;   // no stage of the pipeline uses it
  bool was_used = false;        // the code of one of `stages` used it before linking
};

// Declarations that the stages of a pipeline had before linking (`before`) and do not use after it, in the order of
// kind, set and number. A resource counts as used if code that the entry point can reach names it, whether or not that
// code has an effect. None if a module cannot be read, or if nothing was linked.
std::optional<std::vector<UnusedDeclaration>> unused_declarations(const std::vector<StageInput>& before,
                                                                  const std::vector<StageInput>& after);

}  // namespace varylink::link
