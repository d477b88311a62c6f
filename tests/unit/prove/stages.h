// Pipelines for tests of proofs: stages written in GLSL.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "prove/prove.h"
#include "spirv/tools/binary.h"
#include "support/shader.h"

namespace varylink::prove {

// A pipeline of several stages; kept as words, which StageWords refer to.
class Stages {
 public:
  Stages& add(Stage stage, const std::string& glsl) {
    words_.push_back({stage, spirv::write_module(test::module_from_glsl(stage, glsl))});
    return *this;
  }
  std::vector<StageWords> words() const {
    std::vector<StageWords> result;
    for (const auto& [stage, words] : words_) result.push_back({stage, words, ""});
    return result;
  }

 private:
  std::vector<std::pair<Stage, std::vector<std::uint32_t>>> words_;
};

}  // namespace varylink::prove
