// Linked stages that came out of one module as one module again: WGSL compilers write all entry points of a source to
// one file, and a program that loads one file must not get a linked stage beside one that is not.
#pragma once

#include <cstdint>
#include <vector>

#include "base/result.h"
#include "link/model/pipeline.h"

namespace varylink::driver {

// Whether the stages came in as the same words, so that their results can be one module.
bool came_as_one(const std::vector<link::StageInput>& stages);

// `linked`: results of stages that came as one, with the file names and entry points of `inputs`. Other parts of the
// module are there once, unchanged. Error (verification_failed): the validator refuses the result.
Result<std::vector<std::uint32_t>> one_module(const std::vector<link::StageInput>& inputs,
                                              const std::vector<link::StageOutput>& linked,
                                              const spirv::ValidatorOptions& validator);

}  // namespace varylink::driver
