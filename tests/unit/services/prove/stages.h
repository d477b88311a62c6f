// Pipelines for tests of proofs: stages written in GLSL.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "prove/prove.h"
#include "spirv/tools/binary.h"
#include "support/shader.h"

namespace varylink::prove {

// Options for pipelines whose layout gives bindings 0 and 1 of set 0 to every stage, which may declare them and leave
// them unused.
inline ProveOptions with_shared_layout(Semantics semantics) {
  ProveOptions options;
  options.semantics = semantics;
  for (const std::uint32_t binding : {0u, 1u})
    options.facts.bindings[{0, binding}] = {Stage::vertex, Stage::tess_control, Stage::tess_eval, Stage::geometry,
                                            Stage::task,   Stage::mesh,         Stage::fragment};
  return options;
}

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
