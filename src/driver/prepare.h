// Brings a stage into the form in which its interface can be scalarized: one function, but for those that no varying
// goes through (rule ), local variables as values, varying indices constant where loops allow it.
#pragma once

#include "link/model/linked_stage.h"
#include "spirv/tools/tools.h"

namespace varylink::driver {

// Reads one stage. Errors: invalid_spirv (does not read), usage (entry point).
Result<link::LinkedStage> read_stage(const FileRef& file, Stage stage, const std::vector<std::uint32_t>& words,
                                     const std::string& entry_point);

// Reads and validates one stage; of a module with several entry points, what the chosen one needs. Errors:
// invalid_spirv (does not read, does not validate), usage (entry point). The stage keeps `tool_cache`.
Result<link::LinkedStage> open_stage(const FileRef& file, Stage stage, const std::vector<std::uint32_t>& words,
                                     const std::string& entry_point, const spirv::ValidatorOptions& validator,
                                     spirv::ToolCache* tool_cache = nullptr);

// Why the module has to be passed through as it is; empty if it can be worked on.
std::string reason_to_leave_alone(const link::LinkedStage& stage);

// Inlines, promotes local variables to values, unrolls loops whose counter indexes a varying. Every computed value
// stays what it was.
void prepare(link::LinkedStage& stage);

// After finish(): puts the entry points that were left out of a module with several back into it, as they came, beside
// the linked one. They keep their own variables, so that what linking changed is not theirs.
void restore_other_entries(link::LinkedStage& stage);

// Last clean-up before the module is written. With the strip options also removes declarations nobody uses.
void finish(link::LinkedStage& stage, bool strip_resources, bool strip_attributes);

}  // namespace varylink::driver
