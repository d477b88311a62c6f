#include "api/stage_steps.h"

namespace varylink::api {

spirv::KeptSteps* StageSteps::of(Stage stage) const {
  for (const auto& [own, steps] : kept_)
    if (own == stage) return steps.get();
  return nullptr;
}

std::optional<std::string> StageSteps::load(Stage stage, const std::string& key) {
  spirv::KeptSteps* const steps = of(stage);
  if (!steps) return std::nullopt;
  std::optional<std::string> bytes = steps->load(stage, key);
  if (!bytes) missing_.emplace(key, stage);
  return bytes;
}

void StageSteps::store(const std::string& key, const std::string& bytes) {
  const auto missing = missing_.find(key);
  if (missing == missing_.end()) return;
  of(missing->second)->store(key, bytes);
  missing_.erase(missing);
}

}  // namespace varylink::api
