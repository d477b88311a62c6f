// Reads and validates stages. The recipe prepare::kPrepare (recipes.h) then brings them into the form that can be
// scalarized.
#pragma once

#include <cstdint>
#include <vector>

#include "link/model/linked_stage.h"
#include "link/model/pipeline.h"
#include "spirv/tools/tools.h"

namespace varylink::driver {

// Reads one stage, which messages call `file`. Errors: invalid_spirv (does not read), usage (entry point).
Result<link::LinkedStage> read_stage(const FileRef& file, const link::StageInput& input);

// Words that were written of `module`, or are its own. Instructions that the validator does not know are in both: such
// words are read as the module was.
Result<spirv::Module> read_result(const spirv::Module& module, const std::vector<std::uint32_t>& words,
                                  const FileRef& file);

// Reads the stages of a linked pipeline, before and after, for all who ask about their modules next (StageInput::read).
// A module that cannot be read is left to them.
void read_once(std::vector<link::StageInput>& before, std::vector<link::StageInput>& after);

// Reads and validates one stage; of a module with several entry points, only the parts that the chosen one needs.
// Errors: invalid_spirv (does not read, does not validate), usage (entry point). The stage keeps `valid_words`.
Result<link::LinkedStage> open_stage(const FileRef& file, const link::StageInput& input,
                                     const spirv::ValidatorOptions& validator,
                                     spirv::ValidWords* valid_words = nullptr);

// Why the module has to be passed through as it is; empty if it can be worked on.
std::string reason_to_leave_alone(const link::LinkedStage& stage);

// After prepare::kFinish (recipes.h): restores the other entry points of a module beside the linked one. They keep
// variables of their own, which linking did not change.
void restore_other_entries(link::LinkedStage& stage);

}  // namespace varylink::driver
