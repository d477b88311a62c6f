// What SPIRV-Tools did before. Its passes and its validator are pure functions of the words they get, so a result may
// be kept for as long as one likes and wherever one likes; who keeps it is not the business of the linker.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "spirv/ir/module.h"
#include "spirv/ir/stage.h"

namespace varylink::spirv {

enum class CleanUp;

class ToolCache {
 public:
  virtual ~ToolCache() = default;
  // The bytes kept under `key`, none if there are none. `stage` is for statistics only. Called from the thread that
  // links.
  virtual std::optional<std::string> load(Stage stage, const std::string& key) = 0;
  virtual void store(const std::string& key, const std::string& bytes) = 0;

  // For tests that hold has_work (clean_up_work.h) to what SPIRV-Tools does: `step` is left out, since it would find
  // nothing in the module once SPIRV-Tools has run the steps `before`; SPIRV-Tools is to run `steps`.
  virtual void left_out(const Module&, CleanUp /*step*/, std::span<const CleanUp> /*before*/) {}
  virtual void will_run(const Module&, std::span<const CleanUp> /*steps*/) {}
};

// A cache, which may be none, and the stage that is worked on.
struct StageTools {
  ToolCache* cache = nullptr;
  Stage stage = Stage::vertex;
};

}  // namespace varylink::spirv
