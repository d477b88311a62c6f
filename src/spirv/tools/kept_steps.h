// What SPIRV-Tools did before in this process.
#pragma once

#include <cstddef>
#include <deque>
#include <mutex>
#include <string>
#include <unordered_map>

#include "spirv/tools/tool_cache.h"

namespace varylink::spirv {

// Any number of threads may use one.
class KeptSteps : public ToolCache {
 public:
  // Modules that are kept take at most `most_bytes`, then the oldest go. That a module is valid, which takes some
  // hundred bytes, is never forgotten.
  explicit KeptSteps(std::size_t most_bytes) : most_bytes_(most_bytes) {}

  std::optional<std::string> load(Stage stage, const std::string& key) override;
  void store(const std::string& key, const std::string& bytes) override;

  struct Use {
    std::size_t asked = 0, known = 0;  // calls of load, and those that found something
  };
  Use use() const;

 private:
  const std::size_t most_bytes_;
  mutable std::mutex mutex_;
  std::unordered_map<std::string, std::string> steps_;
  std::deque<std::string> large_;  // keys of what may go, the oldest first
  std::size_t bytes_ = 0;          // of these
  Use use_;
};

}  // namespace varylink::spirv
