// What SPIRV-Tools did before. Its passes and its validator are pure functions of the words they get, so a result may
// be kept for as long as one likes and wherever one likes; who keeps it is not the business of the linker.
#pragma once

#include <optional>
#include <string>

#include "spirv/ir/stage.h"

namespace varylink::spirv {

class ToolCache {
 public:
  virtual ~ToolCache() = default;
  // The bytes kept under `key`, none if there are none. `stage` is for statistics only. Called from the thread that
  // links.
  virtual std::optional<std::string> load(Stage stage, const std::string& key) = 0;
  virtual void store(const std::string& key, const std::string& bytes) = 0;
};

// A cache, which may be none, and the stage that is worked on.
struct StageTools {
  ToolCache* cache = nullptr;
  Stage stage = Stage::vertex;
};

}  // namespace varylink::spirv
