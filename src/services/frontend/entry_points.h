// Which entry points of a SPIR-V module a file stands for.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "frontend/frontend.h"
#include "spirv/ir/module.h"

namespace varylink::frontend {

struct EntryChoice {
  Stage stage = Stage::vertex;
  std::string name;
};

// The entry point name the user asked for in a file of that stage; empty if none.
std::string wanted_entry_point(const SourceFile& file, Stage stage, const CompileOptions& options);

// The entry points that `file` contributes to the pipeline: the one of the stage that the user or the file name gives;
// in a module with several stages and no such hint, one for each stage.
// Errors: usage (none fits, several of one stage fit, the module has none for a graphics stage); invalid_spirv (it has
// none at all).
Result<std::vector<EntryChoice>> choose_entry_points(const spirv::Module& module, const SourceFile& file,
                                                     const CompileOptions& options);

}  // namespace varylink::frontend
