// The steps that the modules of one pipeline keep, as the one cache that linking asks.
#pragma once

#include <map>
#include <memory>
#include <span>
#include <string>
#include <utility>

#include "spirv/tools/kept_steps.h"

namespace varylink::api {

// For one thread, and one run of the linker. Steps of a stage without a module of its own are not kept.
class StageSteps : public spirv::ToolCache {
 public:
  using Kept = std::pair<Stage, std::shared_ptr<spirv::KeptSteps>>;
  // `kept` must outlive it.
  explicit StageSteps(std::span<const Kept> kept) : kept_(kept) {}

  std::optional<std::string> load(Stage stage, const std::string& key) override;
  void store(const std::string& key, const std::string& bytes) override;

 private:
  spirv::KeptSteps* of(Stage stage) const;

  std::span<const Kept> kept_;
  std::map<std::string, Stage> missing_;  // keys that were asked for: what is stored is always one of them
};

}  // namespace varylink::api
