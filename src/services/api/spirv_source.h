// SPIR-V that a program hands over.
#pragma once

#include <string>

#include "api/handles.h"
#include "base/result.h"

namespace varylink::api {

// A stage without its bytes. A source without a name is called by its stage, or `unknown` if the stage is not given
// either.
Result<frontend::SourceText> new_source(varylink_stage stage, const char* name, const char* entry_point,
                                        const std::string& unknown);

// With a copy of the words. Errors (usage): a struct that makes no sense.
Result<frontend::SourceText> spirv_source(const varylink_spirv_stage& given, const std::string& unknown);

}  // namespace varylink::api
