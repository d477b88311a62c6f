// The oracle as tests use it: one drawing process for the whole program, stages written as GLSL.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "verify/verify.h"

namespace varylink::test {

// The drawing process, started at the first call; nullptr if this machine has no Vulkan driver. The reason is printed
// once, and tests that get nullptr return without a check.
class Renderer {
 public:
  virtual ~Renderer() = default;
  virtual verify::Comparison compare(const std::vector<link::StageInput>& original,
                                     const std::vector<link::StageInput>& linked,
                                     const verify::VerifyOptions& options) = 0;
};
Renderer* renderer();

using Sources = std::vector<std::pair<Stage, std::string>>;

// Compiles GLSL as it stands: "#version 460" is put in front, nothing is optimized. A shader that does not compile
// fails the test.
std::vector<link::StageInput> compile(const Sources& sources);

// The same pipeline with one stage replaced.
Sources with_stage(Sources sources, Stage stage, const std::string& text);

// The same pipeline with `from` replaced by `to` in one stage. Fails the test if `from` is not there.
Sources with_edit(Sources sources, Stage stage, const std::string& from, const std::string& to);

}  // namespace varylink::test
