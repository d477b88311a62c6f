// Scalarizes an interface: all stages that share it agree on the variables that become scalars, then each is
// scalarized.
#pragma once

#include <string>
#include <vector>

#include "link/model/link.h"
#include "link/model/pipeline.h"
#include "varyings/scalarize/scalarize_plan.h"

namespace varylink::link {

// By position in the lists of the link: why nothing about the variables of a stage may change on this interface; empty
// if it may.
struct FixReasons {
  std::vector<std::string> producers, consumers;
};

// A warning about the two stages of a pair.
struct ScalarizeMismatch {
  std::size_t producer = 0, consumer = 0;  // positions in the lists of the link
  std::string message;
};

// Scalarizes the outputs of all producers and the inputs of all consumers. A slot that they do not all declare alike
// (type, patch, interpolation, scalarized or not) stays a fixed variable in each of them.
std::vector<ScalarizeMismatch> scalarize_link(link::Link& link, const FixReasons& reasons,
                                              const link::LinkOptions& options);

}  // namespace varylink::link
