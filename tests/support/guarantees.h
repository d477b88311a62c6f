// What must hold for every pipeline that links, whatever its case is about.
#pragma once

#include <string>
#include <vector>

#include "link/model/pipeline.h"

namespace varylink::test {

// One text for each guarantee that `linked`, the result of linking `pipeline` with `options`, breaks:
//   * every stage of the pipeline is there and passes the SPIR-V validator;
//   * linking again gives the same words, and where it says that it keeps positions, their code is the same;
//   * linking the result changes nothing any more;
//   * no interface has more components, locations or a higher location than before;
//   * the contract with the world outside of the pipeline is kept (contract.h), and no capability was added;
//   * a pipeline that failed has no stages and says at least one error.
std::vector<std::string> broken_guarantees(const link::PipelineInput& pipeline, const link::LinkOptions& options,
                                           const link::LinkedPipeline& linked);

}  // namespace varylink::test
