#include "api/valid_stages.h"

namespace varylink::api {

spirv::KeptValidWords* ValidStages::of(Stage stage) const {
  for (const auto& [own, words] : kept_)
    if (own == stage) return words.get();
  return nullptr;
}

bool ValidStages::knows(Stage stage, const std::string& key) {
  spirv::KeptValidWords* const words = of(stage);
  return words && words->knows(stage, key);
}

void ValidStages::add(Stage stage, const std::string& key) {
  if (spirv::KeptValidWords* const words = of(stage)) words->add(stage, key);
}

}  // namespace varylink::api
