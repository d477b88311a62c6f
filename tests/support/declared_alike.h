// Whether outputs say how they are interpolated as the inputs do that read them.
#pragma once

#include <string>
#include <vector>

#include "link/model/pipeline.h"

namespace varylink::test {

// The first location whose output has interpolation qualifiers that differ from those of the fragment stage's input
// there, as "location 3: sample out, smooth in"; empty if there is none. Vulkan looks at the input alone, but GL, ES
// before 3.1 and HLSL refuse such pairs, so that stages that agreed have to agree when they are linked.
std::string first_unlike_qualifier(const std::vector<link::StageInput>& stages);

}  // namespace varylink::test
