// Linked modules of a capture's pipelines, as `varylink link` wrote them.
#pragma once

#include <string>

#include "base/result.h"
#include "formats/gfxreconstruct/capture.h"
#include "formats/gfxreconstruct/replacements.h"

namespace varylink::cli {

// `from`: the folder of -o, or the file of --report, which also says where the modules of --share are. Pipelines
// without a result are left out. Errors: io; usage, a file that is no report, or no result for any of the pipelines;
// invalid_spirv, a module that the device of its pipeline does not take.
Result<formats::gfxreconstruct::LinkedPipelines> read_linked_results(const std::string& from,
                                                                     const formats::gfxreconstruct::Capture& capture);

}  // namespace varylink::cli
