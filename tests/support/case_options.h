// From a pipeline case to what the front end and the linker take.
#pragma once

#include "frontend/frontend.h"
#include "link/model/pipeline.h"
#include "support/case_file.h"

namespace varylink::test {

struct CaseOptions {
  frontend::CompileOptions compile;
  link::LinkOptions link;
  state::PipelineState state;
  std::vector<link::Level> also;  // levels at which the check sections hold as well (";; also: -O2 -O3")
};

// Options of the ";; link:" directives, spelled like those of `varylink link`: -O0 -O1 -O2 -O3 --passes=a,b --fuel=N
// --target-env=ENV --strip-unused-resources --strip-unused-attributes --pack-beside-arrays --portable
// --allow-discontinuous --no-costlier-stage --scalar-block-layout
// --no-fragment -e STAGE=NAME -D NAME=VALUE -g. Error (usage): an option that is not known.
Result<CaseOptions> case_options(const CaseFile& file);

// Compiles the source sections: "vert", "frag", ... (GLSL), "vert spvasm", ... (SPIR-V assembly) and "module spvasm" (a
// module that stands for every stage it has an entry point for). `messages` also gets what the compiler said.
// Files are called "<case>.<stage>" in messages and in the result, without a folder.
Result<frontend::LoadedPipeline> load_case(const CaseFile& file, const CaseOptions& options, Diagnostics* messages);

}  // namespace varylink::test
